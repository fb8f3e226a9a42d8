import type { EventRow } from './queries.ts'

const maxRows = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest rows of the log, in memory. */
export interface RowCache {
  head(): number
  beginAfter(numericPosition: number): void
  add(newer: readonly EventRow[]): void
  /** Undefined where the cache does not reach back. */
  after(numericPosition: number): readonly EventRow[] | undefined
  /** True when all rows since are cached and none is of this stream. */
  isUnchanged(stream: string, since: number): boolean
}

export const rowCache = (): RowCache => {
  let rows: EventRow[] = []
  let head = 0
  let characters = 0
  let lastPositions = new Map<string, number>()

  const trim = () => {
    let from = rows.length
    let cachedSize = 0
    while (from > 0 && rows.length - from < maxRows && cachedSize < maxCharacters) cachedSize += size(rows[--from])
    for (const [numericPosition, stream] of rows.slice(0, from))
      if (lastPositions.get(stream) === Number(numericPosition)) lastPositions.delete(stream)
    rows = rows.slice(from)
    characters = cachedSize
  }

  return {
    head: () => head,
    beginAfter: (numericPosition) => {
      head = numericPosition
    },
    add: (newer) => {
      for (const row of newer) {
        const numericPosition = Number(row[0])
        // Committed here during the read.
        if (numericPosition <= head) continue
        // Dense positions: a row is found by subtraction. A gap (rows removed by hand) resets the cache.
        if (numericPosition !== head + 1) {
          rows = []
          characters = 0
          lastPositions = new Map()
        }
        rows.push(row)
        lastPositions.set(row[1], numericPosition)
        characters += size(row)
        head = numericPosition
      }
      if (rows.length > 2 * maxRows || characters > 2 * maxCharacters) trim()
    },
    after: (numericPosition) => {
      if (numericPosition >= head) return []
      const from = rows.length - (head - numericPosition)
      return from < 0 ? undefined : rows.slice(from)
    },
    isUnchanged: (stream, since) => since >= head - rows.length && (lastPositions.get(stream) ?? 0) <= since,
  }
}

const size = (row: EventRow | undefined): number => (row ? row[5].length + row[6].length : 0)
