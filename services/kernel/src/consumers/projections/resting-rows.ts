import type { Rows } from './fold-batch.ts'

/** Above this share of rows that changed after they were written, none are written early. */
const maxReturned = 0.1
const alwaysAllowed = 1000

interface Kept<Row> {
  key: string
  /** Undefined: deleted. */
  row: Row | undefined
  span: number
  isHandedOut: boolean
}

/** Unchanged rows are written early and corrected at the end if need be. Hot path of rebuilds. */
export class RestingRows<Row> implements Rows<Row> {
  readonly #kept = new Map<string, Kept<Row>>()
  #span = 0
  /** A row changed in both spans is in both lists and belongs to the later. */
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

  /** Rows unchanged since the call before last. */
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

  others(): Row[] {
    return this.#handOut([...this.#earlier, ...this.#recent])
  }

  /** Written rows that changed: keys to delete, and their new rows. */
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
