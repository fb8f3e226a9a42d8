import { type ExpectedRevision, InvalidAppend, type NewEvent } from './port.ts'
import { toStored } from './stored-metadata.ts'

export interface AppendRequest {
  stream: string
  /** -1 where the stream must not exist. */
  expected: bigint
  events: EventText[]
  /** UTF-8 bytes of data and metadata together. */
  sizeBytes: number
}

export interface EventText {
  id: string
  type: string
  data: string
  metadata: string
}

export const maxAppendBytes = 1024 * 1024
const maxNameCharacters = 500
/** Below 64-bit overflow. */
const maxRevision = 2n ** 62n

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const categoryAndId = /^[^-]+-./u
/** Control characters separate fields on the wire; lone surrogates are not valid UTF-8. */
const unprintable = /[\p{Cc}\p{Cs}]/u

/** Throws `InvalidAppend`, whose message holds no data. */
export const appendRequest = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): AppendRequest => {
  requireName('stream', stream)
  if (!categoryAndId.test(stream)) throw new InvalidAppend('a stream is named category-id')
  if (events.length === 0) throw new InvalidAppend('an append holds at least one event')
  if (expected !== 'no_stream' && (typeof expected !== 'bigint' || expected < 0n || expected > maxRevision))
    throw new InvalidAppend('expected is no_stream or the revision of an event')

  const texts = events.map(eventText)
  const sizeBytes = texts.reduce((sum, { data, metadata }) => sum + byteLength(data) + byteLength(metadata), 0)
  if (sizeBytes > maxAppendBytes)
    throw new InvalidAppend(`an append holds ${maxAppendBytes} bytes at most, not ${sizeBytes}`)

  return { stream, expected: expected === 'no_stream' ? -1n : expected, events: texts, sizeBytes }
}

const eventText = ({ id, type, data, metadata }: NewEvent): EventText => {
  if (!uuid.test(id)) throw new InvalidAppend('an event id is a UUID in lower case')
  requireName('event type', type)
  return { id, type, data: objectText('data', data), metadata: toStored(objectText('metadata', metadata)) }
}

const requireName = (what: string, name: string) => {
  if (name === '') throw new InvalidAppend(`the ${what} is empty`)
  if (name.length > maxNameCharacters) throw new InvalidAppend(`the ${what} is over ${maxNameCharacters} characters`)
  if (unprintable.test(name)) throw new InvalidAppend(`the ${what} holds a control character or half a character`)
}

const objectText = (what: string, value: object): string => {
  const text = stringify(what, value)
  if (!text?.startsWith('{')) throw new InvalidAppend(`${what} is a JSON object`)
  return text
}

const stringify = (what: string, value: object): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new InvalidAppend(`${what} cannot be written as JSON`, { cause })
  }
}

const byteLength = (text: string) => Buffer.byteLength(text, 'utf8')
