import type { Rows } from './fold-batch.ts'

/** Above so many rows that came back to life, in proportion to those that were handed out, none are handed out early any more. */
const maxReturned = 0.1
const alwaysAllowed = 1000

interface Kept<Row> {
  key: string
  /** Undefined: there is none any more. */
  row: Row | undefined
  /** The span in which it changed last. */
  span: number
  isHandedOut: boolean
}

/**
 * Rows in the making, of which those that nothing has changed for a while can be written already. One that changes
 * afterwards is returned at the end, to be written again. Every event of a rebuild passes here: a key is looked up as seldom as
 * can be.
 */
export class RestingRows<Row> implements Rows<Row> {
  readonly #kept = new Map<string, Kept<Row>>()
  /** From one rest to the next. */
  #span = 0
  /** Changed in this span, and in the one before it; what changed in both is in both, and belongs to this one. */
  #recent: Kept<Row>[] = []
  #earlier: Kept<Row>[] = []
  readonly #returned = new Set<Kept<Row>>()
  #handedOut = 0

  get size(): number {
    return this.#kept.size
  }

  get(key: string): Row | undefined {
    return this.#kept.get(key)?.row
  }

  set(key: string, row: Row) {
    const known = this.#kept.get(key)
    if (known) return this.#change(known, row)
    const kept = { key, row, span: this.#span, isHandedOut: false }
    this.#kept.set(key, kept)
    this.#recent.push(kept)
  }

  delete(key: string) {
    const known = this.#kept.get(key)
    if (!known) return
    this.#change(known, undefined)
    if (!known.isHandedOut) this.#kept.delete(key)
  }

  *[Symbol.iterator](): Generator<[string, Row]> {
    for (const { key, row } of this.#kept.values()) if (row !== undefined) yield [key, row]
  }

  #change(kept: Kept<Row>, row: Row | undefined) {
    if (kept.row === row) return
    kept.row = row
    if (kept.isHandedOut) this.#returned.add(kept)
    else if (kept.span !== this.#span) {
      kept.span = this.#span
      this.#recent.push(kept)
    }
  }

  /** The rows that did not change since the call before the last one. */
  rest(): Row[] {
    const resting = this.#earlier.filter(({ span }) => span < this.#span)
    this.#earlier = this.#recent
    this.#recent = []
    const isRestless = this.#returned.size > alwaysAllowed + this.#handedOut * maxReturned
    if (isRestless)
      for (const kept of resting) {
        kept.span = this.#span
        this.#earlier.push(kept)
      }
    this.#span += 1
    return isRestless ? [] : this.#handOut(resting)
  }

  /** All rows that were not handed out yet. */
  others(): Row[] {
    return this.#handOut([...this.#earlier, ...this.#recent])
  }

  /** What was handed out and is not true any more: keys to delete, and the rows to write in their place. */
  corrections(): { keys: string[]; rows: Row[] } {
    const returned = [...this.#returned]
    return {
      keys: returned.map(({ key }) => key),
      rows: returned.map(({ row }) => row).filter((row) => row !== undefined),
    }
  }

  #handOut(keeping: readonly Kept<Row>[]): Row[] {
    const rows: Row[] = []
    for (const kept of keeping) {
      if (kept.isHandedOut || kept.row === undefined) continue
      kept.isHandedOut = true
      rows.push(kept.row)
    }
    this.#handedOut += rows.length
    return rows
  }
}
