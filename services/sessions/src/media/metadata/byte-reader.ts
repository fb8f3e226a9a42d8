/** Results are shorter at the stream's end. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #buffered: Buffer = Buffer.alloc(0)

  constructor(content: AsyncIterable<Buffer>) {
    this.#chunks = content[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value])
    return true
  }

  async peek(length: number): Promise<Buffer> {
    while (this.#buffered.length < length && (await this.#more()));
    return this.#buffered.subarray(0, length)
  }

  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length)
    this.#buffered = this.#buffered.subarray(taken.length)
    return taken
  }

  async *pass(length = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    for (let left = length; left > 0 && (this.#buffered.length > 0 || (await this.#more())); ) {
      const piece = this.#buffered.subarray(0, left)
      this.#buffered = this.#buffered.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.pass(length));
  }

  /** The bytes before the next `byte` that is not followed by one that `passes`. */
  async *passUntil(byte: number, passes: (next: number) => boolean): AsyncGenerator<Buffer> {
    for (let from = 0; ; ) {
      const at = this.#buffered.indexOf(byte, from)
      const next = this.#buffered[at + 1]
      if (at !== -1 && next !== undefined && passes(next)) {
        from = at + 2
        continue
      }
      const piece = at === -1 ? this.#buffered : this.#buffered.subarray(0, at)
      this.#buffered = this.#buffered.subarray(piece.length)
      from = 0
      if (piece.length > 0) yield piece
      if ((at !== -1 && next !== undefined) || !(await this.#more())) return
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
