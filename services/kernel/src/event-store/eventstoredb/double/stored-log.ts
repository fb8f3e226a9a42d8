export interface Proposed {
  id: string
  type: string
  contentType: string
  data: Uint8Array
  metadata: Uint8Array
}

export interface Stored extends Proposed {
  stream: string
  revision: bigint
  /** Byte offset: grows with gaps. */
  numericPosition: bigint
}

export type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint

export type Answer =
  | { kind: 'stored'; revision: bigint; numericPosition: bigint }
  | { kind: 'conflict'; actual: bigint }
  | { kind: 'deleted' }
  | { kind: 'too big' }

interface Stream {
  /** A deleted stream goes on counting. */
  revision: bigint
  events: Stored[]
  state: 'alive' | 'deleted' | 'tombstoned'
}

export const maxAppendBytes = 1024 * 1024
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Append rules as measured on 23.10.6. */
export class StoredLog {
  readonly all: Stored[] = []
  readonly #streams = new Map<string, Stream>()
  readonly #watchers = new Set<() => void>()
  /** In memory only: makes "any" idempotent until a restart. */
  #recent = new Map<string, Stored>()
  #end = 0n

  constructor() {
    for (const type of ['$UserCreated', '$UserCreated', '$metadata']) this.writeSystemEvent(type)
  }

  writeSystemEvent(type: string) {
    const bytes = new TextEncoder().encode('{}')
    this.#write('$users', [
      { id: crypto.randomUUID(), type, contentType: 'application/json', data: bytes, metadata: bytes },
    ])
  }

  head(): bigint {
    return this.all.at(-1)?.numericPosition ?? -1n
  }

  stream(name: string): Readonly<Stream> | undefined {
    return this.#streams.get(name)
  }

  indexAfter(numericPosition: bigint): number {
    let low = 0
    let high = this.all.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.all[middle]?.numericPosition ?? numericPosition) > numericPosition) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Any other position makes the server throw. */
  isReadable(numericPosition: bigint): boolean {
    return (
      numericPosition > this.head() ||
      this.all[this.indexAfter(numericPosition) - 1]?.numericPosition === numericPosition
    )
  }

  append(name: string, expected: Expected, proposed: readonly Proposed[]): Answer {
    if (proposed.some(({ id, type }) => !uuid.test(id) || type === '') || name === '')
      throw new Error('Exception was thrown by handler.')
    const stream = this.#streams.get(name)
    if (stream?.state === 'tombstoned') return { kind: 'deleted' }
    if (stream?.state === 'deleted' && expected === 'stream_exists') return { kind: 'deleted' }
    if (proposed.reduce((sum, { data }) => sum + data.length, 0) > maxAppendBytes) return { kind: 'too big' }

    const actual = stream?.revision ?? -1n
    const repeated = this.#repeated(stream, expected, actual, proposed)
    if (repeated) return { kind: 'stored', revision: repeated.revision, numericPosition: repeated.numericPosition }
    if (!this.#fits(stream, expected, actual)) return { kind: 'conflict', actual }
    // The server reports success and writes nothing.
    if (proposed.length === 0) return { kind: 'stored', revision: 0n, numericPosition: this.head() }
    const last = this.#write(name, proposed)
    return { kind: 'stored', revision: last.revision, numericPosition: last.numericPosition }
  }

  softDelete(name: string) {
    const stream = this.#streams.get(name)
    if (stream) Object.assign(stream, { state: 'deleted', events: [] })
  }

  tombstone(name: string) {
    this.#streams.set(name, { revision: -1n, events: [], state: 'tombstoned' })
  }

  forget() {
    this.#recent = new Map()
  }

  watch(notice: () => void): () => void {
    this.#watchers.add(notice)
    return () => this.#watchers.delete(notice)
  }

  #fits(stream: Stream | undefined, expected: Expected, actual: bigint): boolean {
    if (expected === 'any') return true
    if (expected === 'stream_exists') return stream !== undefined
    if (expected === 'no_stream') return stream === undefined || stream.state === 'deleted'
    return expected === actual
  }

  /** Only ids are compared, and a prefix is enough. */
  #repeated(stream: Stream | undefined, expected: Expected, actual: bigint, proposed: readonly Proposed[]) {
    const [first] = proposed
    if (!stream || !first || expected === actual) return undefined
    let at: number
    if (typeof expected === 'bigint') at = Number(expected) + 1
    else if (expected === 'no_stream') at = 0
    else {
      const recent = this.#recent.get(first.id)
      if (recent === undefined || recent !== stream.events[Number(recent.revision)]) return undefined
      at = Number(recent.revision)
    }
    const isRepeated = proposed.every(({ id }, index) => stream.events[at + index]?.id === id)
    return isRepeated ? stream.events[at + proposed.length - 1] : undefined
  }

  #write(name: string, proposed: readonly Proposed[]): Stored {
    const stream: Stream = this.#streams.get(name) ?? { revision: -1n, events: [], state: 'alive' }
    stream.state = 'alive'
    this.#streams.set(name, stream)
    let last: Stored | undefined
    for (const each of proposed) {
      stream.revision++
      last = { ...each, id: each.id.toLowerCase(), stream: name, revision: stream.revision, numericPosition: this.#end }
      this.#end += BigInt(200 + name.length + each.data.length + each.metadata.length)
      stream.events.push(last)
      this.all.push(last)
      this.#recent.set(last.id, last)
    }
    for (const notice of this.#watchers) notice()
    if (!last) throw new Error('nothing was written')
    return last
  }
}
