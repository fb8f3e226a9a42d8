import { positionOf } from '../place.ts'
import type { Json, Position, RecordedEvent } from '../port.ts'

/** The columns of an event in their order, as a line of COPY: position, stream, revision, id, type, data, metadata. */
export type Line = string

export const placeOfLine = (line: Line): number => Number.parseInt(line, 10)

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (field: string) => field.replace(/\\(.)/g, (_, character: string) => controls[character] ?? character)

/**
 * An event of the log as COPY sends it. What is JSON is only read when somebody asks for it: who looks for a few types among
 * many, or only passes on, does not pay for the others, and reading a page takes a fifth of the time.
 */
class LineEvent implements RecordedEvent {
  readonly id: string
  readonly type: string
  readonly stream: string
  readonly revision: bigint
  readonly position: Position
  readonly #dataText: string
  readonly #metadataText: string
  #data: RecordedEvent['data'] | undefined
  #metadata: RecordedEvent['metadata'] | undefined

  constructor(
    position: string,
    stream: string,
    revision: string,
    id: string,
    type: string,
    data: string,
    metadata: string,
  ) {
    this.id = id
    this.type = type
    this.stream = stream
    this.revision = BigInt(revision)
    this.position = positionOf(position)
    this.#dataText = data
    this.#metadataText = metadata
  }

  get data(): { [key: string]: Json } {
    this.#data ??= JSON.parse(this.#dataText) as { [key: string]: Json }
    return this.#data
  }

  get metadata(): RecordedEvent['metadata'] {
    this.#metadata ??= JSON.parse(this.#metadataText) as RecordedEvent['metadata']
    return this.#metadata
  }
}

type Fields = ConstructorParameters<typeof LineEvent>

/** Cuts the line at its tabs by hand: this runs for every event that is read, and `split` costs it a fifth of its rate. */
export const recordedLine = (line: Line): RecordedEvent => {
  if (line.includes('\\')) return new LineEvent(...(line.split('\t').map(unescaped) as Fields))
  const stream = line.indexOf('\t') + 1
  const revision = line.indexOf('\t', stream) + 1
  const id = line.indexOf('\t', revision) + 1
  const type = line.indexOf('\t', id) + 1
  const data = line.indexOf('\t', type) + 1
  const metadata = line.indexOf('\t', data) + 1
  return new LineEvent(
    line.slice(0, stream - 1),
    line.slice(stream, revision - 1),
    line.slice(revision, id - 1),
    line.slice(id, type - 1),
    line.slice(type, data - 1),
    line.slice(data, metadata - 1),
    line.slice(metadata),
  )
}
