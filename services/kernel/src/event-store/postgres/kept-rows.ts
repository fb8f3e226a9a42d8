import type { EventRow } from './queries.ts'

const maxRows = 4000
const maxCharacters = 8 * 1024 * 1024

/** The newest rows of the log, in memory. */
export interface KeptRows {
  /** The place up to which rows were added. */
  head(): number
  /** Sets the place after which the rows that are to be added begin. */
  beginAfter(place: number): void
  add(newer: readonly EventRow[]): void
  /** The rows after a place; undefined where those that are kept do not reach that far back. */
  after(place: number): readonly EventRow[] | undefined
  /** Whether every row after a place is kept, and none is of this stream. */
  isUnchanged(stream: string, since: number): boolean
}

export const keptRows = (): KeptRows => {
  let rows: EventRow[] = []
  let head = 0
  let characters = 0
  /** The last place of each stream among the rows. */
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
        // Committed here while it was being read.
        if (place <= head) continue
        // Places are dense, so that a row is found by subtraction. Behind a hole (rows removed by hand) the tail starts anew.
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
