import type { Rows } from './fold-batch.ts'

/** Above this share of rows that changed after they were written, none are written early. */
const maxChanged = 0.1
const alwaysAllowed = 1000

interface CachedRow<Row> {
  key: string
  /** Undefined: deleted. */
  row: Row | undefined
  span: number
  isWritten: boolean
}

/** Unchanged rows are written early and corrected at the end if need be. Hot path of rebuilds. */
export class SettledRows<Row> implements Rows<Row> {
  readonly #rows = new Map<string, CachedRow<Row>>()
  #span = 0
  /** A row changed in both spans is in both lists and belongs to the later. */
  #recent: CachedRow<Row>[] = []
  #earlier: CachedRow<Row>[] = []
  readonly #changed = new Set<CachedRow<Row>>()
  #writtenCount = 0

  get size(): number {
    return this.#rows.size
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)?.row
  }

  set(key: string, row: Row) {
    const known = this.#rows.get(key)
    if (known) return this.#change(known, row)
    const cached = { key, row, span: this.#span, isWritten: false }
    this.#rows.set(key, cached)
    this.#recent.push(cached)
  }

  delete(key: string) {
    const known = this.#rows.get(key)
    if (!known) return
    this.#change(known, undefined)
    if (!known.isWritten) this.#rows.delete(key)
  }

  *[Symbol.iterator](): Generator<[string, Row]> {
    for (const { key, row } of this.#rows.values()) if (row !== undefined) yield [key, row]
  }

  #change(cached: CachedRow<Row>, row: Row | undefined) {
    if (cached.row === row) return
    cached.row = row
    if (cached.isWritten) this.#changed.add(cached)
    else if (cached.span !== this.#span) {
      cached.span = this.#span
      this.#recent.push(cached)
    }
  }

  /** Rows unchanged since the call before last. */
  takeSettled(): Row[] {
    const settled = this.#earlier.filter(({ span }) => span < this.#span)
    this.#earlier = this.#recent
    this.#recent = []
    const tooManyChanged = this.#changed.size > alwaysAllowed + this.#writtenCount * maxChanged
    if (tooManyChanged)
      for (const cached of settled) {
        cached.span = this.#span
        this.#earlier.push(cached)
      }
    this.#span += 1
    return tooManyChanged ? [] : this.#written(settled)
  }

  others(): Row[] {
    return this.#written([...this.#earlier, ...this.#recent])
  }

  /** Written rows that changed: keys to delete, and their new rows. */
  corrections(): { keys: string[]; rows: Row[] } {
    const changed = [...this.#changed]
    return {
      keys: changed.map(({ key }) => key),
      rows: changed.map(({ row }) => row).filter((row) => row !== undefined),
    }
  }

  #written(chosen: readonly CachedRow<Row>[]): Row[] {
    const rows: Row[] = []
    for (const cached of chosen) {
      if (cached.isWritten || cached.row === undefined) continue
      cached.isWritten = true
      rows.push(cached.row)
    }
    this.#writtenCount += rows.length
    return rows
  }
}
