import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as iteration } from 'node:timers/promises'
import { allEvents } from '@prosa/contracts/events/all-events'
import { schemaVersions } from '@prosa/contracts/events/versions'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { eventCodec, UndecodableEvent } from './codec.ts'
import type { Position, RecordedEvent } from './port.ts'

const folder = new URL('../../../../contracts/src/events/golden/', import.meta.url)
const golden = readdirSync(folder).map((file) => ({
  file,
  ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
    type: string
    schemaVersion: number
    data: Record<string, Json>
  }),
}))

const recorded = (type: string, schemaVersion: number, data: Record<string, Json>): RecordedEvent => ({
  id: '4b7d8a1e-3c5a-4a9e-9d61-0c8b7a6f5e44',
  stream: 'contact-c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33',
  revision: 0n,
  position: '00000000000000000001' as Position,
  type,
  data,
  metadata: {
    causationId: 'request',
    correlationId: 'request',
    actor: { kind: 'system', id: 'test' },
    tenant: null,
    schemaVersion,
    recordedAt: '2026-11-21T12:00:00.000Z',
  },
})

describe('the codec', () => {
  it.each(golden)('still reads $file', async ({ file, type, schemaVersion, data }) => {
    expect(file).toBe(`${type}.v${schemaVersion}.json`)
    const [event] = await eventCodec().decode([recorded(type, schemaVersion, data)])
    expect(event?.type).toBe(type)
    if (schemaVersion === (schemaVersions[type] ?? 1)) expect(event?.data).toEqual(data)
  })

  it('has a golden file of every version of every event', () => {
    const wanted = Object.keys(allEvents).flatMap((type) =>
      Array.from({ length: schemaVersions[type] ?? 1 }, (_, version) => `${type}.v${version + 1}.json`),
    )
    expect(golden.map(({ file }) => file).sort()).toEqual(wanted.sort())
  })

  it('brings a retired shape straight to today’s', async () => {
    const shapes = { ContactNamed: { 0: (data: unknown) => ({ name: (data as { nome: string }).nome }) } }
    const [event] = await eventCodec({ shapes }).decode([recorded('ContactNamed', 0, { nome: 'Ana' })])
    expect(event?.data).toEqual({ name: 'Ana' })
  })

  it.each([
    ['a type that nobody knows', recorded('ContactPainted', 1, {})],
    ['a type that is a property of every object', recorded('constructor', 1, {})],
    ['a version from the future', recorded('ContactNamed', 2, { name: 'Ana' })],
    ['data that does not fit', recorded('ContactNamed', 1, { nome: 'Ana' })],
  ])('refuses %s', async (_, event) => {
    await expect(eventCodec().decode([event])).rejects.toBeInstanceOf(UndecodableEvent)
  })

  it('does not store what the contract does not name', async () => {
    const { id, stream, metadata } = recorded('ContactNamed', 1, {})
    const surplus = { name: 'Ana', password: 'secreta' }
    const [event] = await eventCodec().encode([
      { id, stream, metadata, event: { type: 'ContactNamed', data: surplus } },
    ])
    expect(event?.data).toEqual({ name: 'Ana' })
  })

  it.each([10, 200])(
    'lets others have their turn between the events of a page of %i that takes long, and not otherwise',
    async (count) => {
      const { type, schemaVersion, data } =
        golden.find(({ file }) => file === 'ContactNamed.v1.json') ?? golden[0] ?? {}
      const page = Array.from({ length: count }, () => recorded(String(type), Number(schemaVersion), { ...data }))
      const turnsWhile = async (msOfEvent: number) => {
        let now = 0
        const codec = eventCodec({ stopwatch: () => (now += msOfEvent) })
        const over = { isIt: false }
        let turns = 0
        const counting = (async () => {
          for (; !over.isIt; turns++) await iteration()
        })()
        expect(await codec.decode(page)).toHaveLength(count)
        over.isIt = true
        await counting
        return turns
      }
      expect(await turnsWhile(25)).toBeGreaterThanOrEqual(count)
      expect(await turnsWhile(0)).toBeLessThan(5)
    },
  )
})
