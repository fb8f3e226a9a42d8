/** Above so many rows that came back to life, in proportion to those that were handed out, none are handed out early any more. */
const mostReturned = 0.1
const alwaysAllowed = 1000

/**
 * Rows in the making, of which those that nothing has changed for a while can be written already. One that changes
 * afterwards is told at the end, to be written again.
 */
export class RestingRows<Row> extends Map<string, Row> {
  /** Changed since the last rest, and in the span before it. */
  #recent = new Set<string>()
  #earlier = new Set<string>()
  readonly #handedOut = new Set<string>()
  readonly #returned = new Set<string>()

  override set(key: string, row: Row): this {
    if (this.get(key) !== row) this.#touch(key)
    return super.set(key, row)
  }

  override delete(key: string): boolean {
    this.#touch(key)
    return super.delete(key)
  }

  #touch(key: string) {
    if (this.#handedOut.has(key)) this.#returned.add(key)
    else this.#recent.add(key)
  }

  /** The rows that did not change since the call before the last one. */
  rest(): Row[] {
    const resting = this.#earlier
    this.#earlier = this.#recent
    this.#recent = new Set()
    if (this.#returned.size > alwaysAllowed + this.#handedOut.size * mostReturned) {
      for (const key of resting) this.#earlier.add(key)
      return []
    }
    return this.#handOut([...resting].filter((key) => !this.#earlier.has(key)))
  }

  /** All rows that were not handed out yet. */
  others(): Row[] {
    return this.#handOut([...this.#earlier, ...this.#recent].filter((key) => !this.#handedOut.has(key)))
  }

  /** What was handed out and is not true any more: keys to delete, and the rows to write in their place. */
  corrections(): { keys: string[]; rows: Row[] } {
    const keys = [...this.#returned]
    return { keys, rows: this.#existing(keys) }
  }

  #handOut(keys: readonly string[]): Row[] {
    const once = new Set(keys)
    for (const key of once) this.#handedOut.add(key)
    return this.#existing([...once])
  }

  #existing(keys: readonly string[]): Row[] {
    return keys.flatMap((key) => {
      const row = this.get(key)
      return row === undefined ? [] : [row]
    })
  }
}
