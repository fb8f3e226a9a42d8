import type { EventRow } from './queries.ts'

const maxRows = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest rows of the log, in memory. */
export interface KeptRows {
  head(): number
  beginAfter(place: number): void
  add(newer: readonly EventRow[]): void
  /** Undefined where the cache does not reach back. */
  after(place: number): readonly EventRow[] | undefined
  /** True when all rows since are cached and none is of this stream. */
  isUnchanged(stream: string, since: number): boolean
}

export const keptRows = (): KeptRows => {
  let rows: EventRow[] = []
  let head = 0
  let characters = 0
  let places = new Map<string, number>()

  const trim = () => {
    let from = rows.length
    let kept = 0
    while (from > 0 && rows.length - from < maxRows && kept < maxCharacters) kept += size(rows[--from])
    for (const [place, stream] of rows.slice(0, from)) if (places.get(stream) === Number(place)) places.delete(stream)
    rows = rows.slice(from)
    characters = kept
  }

  return {
    head: () => head,
    beginAfter: (place) => {
      head = place
    },
    add: (newer) => {
      for (const row of newer) {
        const place = Number(row[0])
        // Committed here during the read.
        if (place <= head) continue
        // Dense positions: a row is found by subtraction. A gap (rows removed by hand) resets the cache.
        if (place !== head + 1) {
          rows = []
          characters = 0
          places = new Map()
        }
        rows.push(row)
        places.set(row[1], place)
        characters += size(row)
        head = place
      }
      if (rows.length > 2 * maxRows || characters > 2 * maxCharacters) trim()
    },
    after: (place) => {
      if (place >= head) return []
      const from = rows.length - (head - place)
      return from < 0 ? undefined : rows.slice(from)
    },
    isUnchanged: (stream, since) => since >= head - rows.length && (places.get(stream) ?? 0) <= since,
  }
}

const size = (row: EventRow | undefined): number => (row ? row[5].length + row[6].length : 0)
