import type { Page } from '@prosa/contracts/http/page'
import { encodeCursor } from './cursor.ts'

/** A page out of `size` rows and one more, which shows that there is another page; `placeOf` is what the next one goes on after. */
export const pageFrom = <Row, Item>(
  found: readonly Row[],
  size: number,
  placeOf: (row: Row) => readonly string[],
  show: (row: Row) => Item,
): Page<Item> => {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return {
    items: rows.map(show),
    nextCursor: last && found.length > size ? encodeCursor(placeOf(last)) : null,
  }
}
