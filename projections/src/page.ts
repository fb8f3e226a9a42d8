import type { Page } from '@prosa/contracts/http/page'
import { encodeCursor } from './cursor.ts'

/** `found`: one row more than `size` if another page follows; `cursorOf`: its cursor. */
export const pageFrom = <Row, Item>(
  found: readonly Row[],
  size: number,
  cursorOf: (row: Row) => readonly string[],
  show: (row: Row) => Item,
): Page<Item> => {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return {
    items: rows.map(show),
    nextCursor: last && found.length > size ? encodeCursor(cursorOf(last)) : null,
  }
}
