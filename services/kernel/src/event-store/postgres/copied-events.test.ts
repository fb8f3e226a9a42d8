import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../port.ts'
import { CopiedEvents } from './copied-events.ts'

const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const end = Buffer.from([0xff, 0xff])

const integer = (bytes: 2 | 4 | 8, value: bigint) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer.subarray(8 - bytes)
}

interface Given {
  numericPosition: number
  stream: string
  revision: bigint
  id: string
  type: string
  data: { [field: string]: string }
}
const metadata = { note: 'ação' }

const rowOf = ({ numericPosition, stream, revision, id, type, data }: Given) => {
  const fields = [
    integer(8, BigInt(numericPosition)),
    Buffer.from(stream),
    integer(8, revision),
    ...[id, type, JSON.stringify(data), JSON.stringify(metadata)].map((text) => Buffer.from(text)),
  ]
  const lengthAndField = fields.flatMap((field) => [integer(4, BigInt(field.length)), field])
  return Buffer.concat([integer(2, BigInt(fields.length)), ...lengthAndField])
}

const messagesOf = (given: readonly Given[]) => {
  const [first = end, ...others] = [...given.map(rowOf), end]
  return [Buffer.concat([header, first]), ...others]
}

const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const given: fc.Arbitrary<Given> = fc.record({
  numericPosition: fc.maxSafeNat(),
  stream: text,
  revision: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  id: fc.uuid(),
  type: text,
  data: fc.dictionary(text, text, { maxKeys: 5 }),
})

describe('events that were copied', () => {
  it('are what was stored, however often their memory was used before', () => {
    const copied = new CopiedEvents()
    fc.assert(
      fc.property(fc.array(given, { maxLength: 30 }), (events) => {
        copied.clear()
        for (const message of messagesOf(events)) copied.add(message)
        expect(copied.length).toBe(events.length)
        for (const [index, { numericPosition, ...event }] of events.entries()) {
          expect(copied.numericPositionAt(index)).toBe(numericPosition)
          expect(copied.at(index)).toMatchObject({ ...event, metadata })
        }
      }),
    )
  })

  it('cannot be spread, which would lose what they read late: the compiler refuses it', () => {
    const copied = new CopiedEvents()
    for (const message of messagesOf(fc.sample(given, 1))) copied.add(message)
    // @ts-expect-error A copy by spread has none of the fields.
    const spread: RecordedEvent = { ...copied.at(0) }
    expect(spread.id).toBeUndefined()
  })

  it('stay what they are when the driver uses its memory again, and there is room for far more than at first', () => {
    const copied = new CopiedEvents()
    const events = Array.from({ length: 300 }, (_, index) => ({
      numericPosition: index,
      stream: `long-${'é'.repeat(index * 20)}`,
      revision: 0n,
      id: crypto.randomUUID(),
      type: 'Copied',
      data: { text: 'x'.repeat(index * 5) },
    }))
    for (const message of messagesOf(events)) {
      copied.add(message)
      message.fill(0)
    }
    for (const [index, { numericPosition: _, ...event }] of events.entries())
      expect(copied.at(index)).toMatchObject(event)
    expect(() => copied.at(300)).toThrow(RangeError)
  })
})
