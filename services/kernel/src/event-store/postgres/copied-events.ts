import type { Json } from '../../json.ts'
import { positionOf } from '../numeric-position.ts'
import type { Position, RecordedEvent } from '../port.ts'
import { fromStored } from '../stored-metadata.ts'

const firstBytes = 64 * 1024
/** Signature, flags, and length of the absent extension. */
const headerBytes = 19
const idLength = 36
const scratch = Buffer.allocUnsafeSlow(4096)
const beyondAscii = /[\x80-\xff]/

/**
 * Binary COPY rows: position, stream, revision, id (text), type, data, metadata. Bytes outside the heap until read: thousands of long
 * strings would dominate garbage collection. Buffers are reused.
 */
export class CopiedEvents {
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstBytes)
  /** One message a row (the first after the header), then the end mark. */
  #ends: number[] = []

  get length(): number {
    return Math.max(0, this.#ends.length - 1)
  }

  get bytes(): number {
    return this.#ends.at(-1) ?? 0
  }

  /** The driver reuses its memory. */
  add(message: Buffer) {
    const start = this.bytes
    const end = start + message.length
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#bytes.length))
      larger.set(this.#bytes.subarray(0, start))
      this.#bytes = larger
    }
    this.#bytes.set(message, start)
    this.#ends.push(end)
  }

  clear() {
    this.#ends = []
  }

  numericPositionAt(index: number): number {
    const at = this.#startOf(index) + 6
    return this.#bytes.readUInt32BE(at) * 2 ** 32 + this.#bytes.readUInt32BE(at + 4)
  }

  at(index: number): RecordedEvent {
    const start = this.#startOf(index)
    const streamEnd = start + 18 + this.#bytes.readUInt32BE(start + 14)
    const typeAt = streamEnd + 20 + idLength
    const typeEnd = typeAt + this.#bytes.readUInt32BE(typeAt - 4)
    const dataEnd = typeEnd + 4 + this.#bytes.readUInt32BE(typeEnd)
    const head = this.#bytes.toString('latin1', start, typeEnd)
    const data = this.#bytes.toString('utf8', typeEnd + 4, dataEnd)
    const metadata = this.#bytes.toString('utf8', dataEnd + 4, this.#ends[index])
    return new CopiedEvent(head, streamEnd - start, this.numericPositionAt(index), data, metadata)
  }

  #startOf(index: number): number {
    if (index < 0 || index >= this.length) throw new RangeError(`${this.length} events were copied`)
    return this.#ends[index - 1] ?? headerBytes
  }
}

/** A slice would keep the whole string alive. */
const textOf = (bytes: string): string => {
  if (bytes.length > scratch.length) return Buffer.from(bytes, 'latin1').toString()
  return scratch.toString('utf8', 0, scratch.write(bytes, 'latin1'))
}

/** Lazy: unread events cost nothing, and a page takes a fifth of the time. */
class CopiedEvent implements RecordedEvent {
  readonly type: string
  /** The row up to the type, one character a byte; a four-byte length precedes each field. */
  readonly #head: string
  readonly #streamEnd: number
  readonly #numericPosition: number
  readonly #dataText: string
  readonly #metadataText: string
  #data: RecordedEvent['data'] | undefined
  #metadata: RecordedEvent['metadata'] | undefined

  constructor(head: string, streamEnd: number, numericPosition: number, data: string, metadata: string) {
    this.#head = head
    this.#streamEnd = streamEnd
    this.#numericPosition = numericPosition
    this.#dataText = data
    this.#metadataText = metadata
    const type = head.slice(streamEnd + 20 + idLength)
    this.type = beyondAscii.test(type) ? textOf(type) : type
  }

  get position(): Position {
    return positionOf(this.#numericPosition)
  }

  /** A copy: read models would keep whole heads alive. */
  get stream(): string {
    return textOf(this.#head.slice(18, this.#streamEnd))
  }

  get revision(): bigint {
    const high = this.#halfAt(this.#streamEnd + 4)
    const low = BigInt(this.#halfAt(this.#streamEnd + 8))
    return high === 0 ? low : (BigInt(high) << 32n) + low
  }

  get id(): string {
    return this.#head.slice(this.#streamEnd + 16, this.#streamEnd + 16 + idLength)
  }

  get data(): { [key: string]: Json } {
    this.#data ??= JSON.parse(this.#dataText) as { [key: string]: Json }
    return this.#data
  }

  get metadata(): RecordedEvent['metadata'] {
    this.#metadata ??= fromStored(this.#metadataText)
    return this.#metadata
  }

  /** Big-endian 32 bits. */
  #halfAt(at: number): number {
    let half = 0
    for (let index = at; index < at + 4; index++) half = half * 256 + this.#head.charCodeAt(index)
    return half
  }
}
