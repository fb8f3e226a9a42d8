import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { allEvents, type EventType } from '../events/all-events.ts'
import { categories } from '../streams.ts'
import { erasedText, personalFields } from '../values/personal.ts'
import { publications } from './all-published.ts'
import { asyncApi } from './async-api.ts'
import { catalogue, publishedCategories, shownCatalogue } from './catalogue.ts'
import { breaks } from './compatible.ts'
import type { JsonSchema } from './json-schema.ts'
import { type StoredEvent, streamIds } from './publication.ts'
import { publicationOf, publishedOf, tenantOf } from './published-of.ts'
import { publishedTables, shownTables } from './tables/all-tables.ts'

const folder = new URL('../events/golden/', import.meta.url)
const tenant = '11111111-1111-4111-8111-111111111111'
const streamId = '22222222-2222-4222-8222-222222222222'

/** In a stream of a category that it may be in; golden files hold no stream. */
const storedOf = (type: EventType, data: unknown): StoredEvent => ({
  id: '33333333-3333-4333-8333-333333333333',
  type,
  stream: `${publishedCategories[type]}-${streamId}`,
  revision: 4n,
  position: '7',
  data: data as StoredEvent['data'],
  metadata: {
    causationId: 'c',
    correlationId: 'r',
    actor: { kind: 'user', id: tenant },
    tenant,
    schemaVersion: 1,
    recordedAt: '2026-11-27T03:00:00.000Z',
  },
})

const golden = readdirSync(folder).map((file) => {
  const { type, data } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  return { file, event: storedOf(type, allEvents[type as EventType].parse(data)) }
})
const published = golden.filter(({ event }) => publicationOf(event.type))
const pseudonym = (of: string | null, kind: string, id: string) =>
  `${of === null ? 'platform' : 'tenant'} ${kind} ${id.length}`

describe('the published contract', () => {
  it('publishes each stored event, or says why not', () => {
    expect(Object.keys(publications).sort()).toEqual(Object.keys(allEvents).sort())
    for (const entry of Object.values(publications))
      expect('leftOut' in entry ? entry.leftOut : entry.sentence).toMatch(/\w.{10}/)
    for (const category of new Set(Object.values(publishedCategories))) expect(categories).toHaveProperty(category)
  })

  it.each(published)('maps $file to its schema, without and with personal fields', ({ event }) => {
    const { schema, fields } = publicationOf(event.type) ?? { fields: [] }
    for (const withPersonal of [false, true]) {
      const made = publishedOf(event, { pseudonym, withPersonal })
      expect(schema?.strict().parse(made?.data)).toEqual(made?.data)
    }
    const without = publishedOf(event, { pseudonym })?.data ?? {}
    for (const { name, personal } of fields) if (personal) expect(without).not.toHaveProperty(name)
  })

  it('takes each field from the stored event, the name of its stream, or what is computed', () => {
    for (const { event } of published) {
      const { fields, of } = publicationOf(event.type) ?? { fields: [] }
      const known = new Set([
        ...Object.keys((allEvents[event.type] as { shape: object }).shape),
        streamIds[publishedCategories[event.type]]?.field ?? '',
        ...Object.keys(of?.(event.data as never, streamId) ?? {}),
      ])
      for (const { name } of fields) expect(known, `${event.type}.${name}`).toContain(name)
    }
  })

  it('names each event once', () => {
    const names = golden.flatMap(({ event }) => publishedOf(event, { pseudonym })?.type ?? [])
    expect(new Set(names).size).toBe(new Set(published.map(({ event }) => event.type)).size)
  })
})

describe('personal data', () => {
  const planted = (schema: unknown, value: unknown): unknown => {
    if (typeof value === 'string') return `${value} PLANTED`
    if (Array.isArray(value)) return value.map((item) => planted(schema, item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        ['kind', 'messageId'].includes(key) ? item : planted(schema, item),
      ]),
    )
  }

  it.each(published)('of $file is nowhere in what is published without it', ({ event }) => {
    const data: Record<string, unknown> = { ...event.data }
    for (const field of personalFields(allEvents[event.type] as never).keys()) data[field] = planted(null, data[field])
    const made = JSON.stringify(publishedOf({ ...event, data } as StoredEvent, { pseudonym }))
    expect(made).not.toContain('PLANTED')
    expect(made).not.toContain(tenant)
    if (streamIds[publishedCategories[event.type]]?.kind !== 'plain') expect(made).not.toContain(streamId)
  })

  it('asks for pseudonyms of the installation or of the event’s own tenant', () => {
    for (const { event } of published)
      publishedOf(event, {
        pseudonym: (of, kind, id) => {
          expect([null, tenantOf(event)], event.type).toContain(of)
          return `${kind}-${id}`
        },
      })
  })

  it('says that content was erased, not how long the placeholder is', () => {
    const event = published.find(({ event: { type } }) => type === 'MessageReceived')?.event
    const data = { ...event?.data, content: { kind: 'text', text: erasedText } }
    expect(publishedOf({ ...event, data } as StoredEvent, { pseudonym })?.data).toMatchObject({ kind: 'erased' })
    expect(publishedOf({ ...event, data } as StoredEvent, { pseudonym })?.data).not.toHaveProperty('characters')
  })
})

/** Every schema that was ever released, by type; entries are never removed. `RECORD_PUBLISHED=1` adds what is compatible. */
const releasedFile = new URL('./released.json', import.meta.url)
const released: Record<string, JsonSchema> = existsSync(releasedFile)
  ? JSON.parse(readFileSync(releasedFile, 'utf8'))
  : {}
const today: Record<string, JsonSchema> = {
  ...Object.fromEntries(shownCatalogue().map(({ type, schema }) => [type, schema])),
  ...Object.fromEntries(shownTables().map(({ name, schema }) => [`table ${name}`, schema])),
}

describe('released schemas', () => {
  it('are still what events fit: nothing is gone, absent, null or of another kind', () => {
    const broken = Object.entries(released).flatMap(([type, schema]) =>
      today[type] ? breaks(schema, today[type], type) : [`${type} is gone`],
    )
    expect(broken).toEqual([])
    if (process.env.RECORD_PUBLISHED === '1')
      writeFileSync(releasedFile, `${JSON.stringify({ ...released, ...today }, null, 2)}\n`)
    else expect(released, 'run it with RECORD_PUBLISHED=1 to record what is new').toEqual(today)
  })

  it('accept what every golden file becomes, as a reader of that release checks it', () => {
    for (const { event } of published) {
      const made = publishedOf(event, { pseudonym })
      const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(
        released[made?.type ?? ''] ?? false,
      )
      expect([event.type, validate(made?.data), validate.errors]).toEqual([event.type, true, null])
    }
  })

  it('tell each kind of break', () => {
    const text = { type: 'string' }
    const before = { type: 'object', properties: { a: text, b: text }, required: ['a'] }
    const now = (properties: Record<string, JsonSchema>, required = ['a']) => ({ type: 'object', properties, required })
    expect(breaks(before, now({ a: text, b: text, c: text }, ['a', 'c']))).toEqual([])
    expect(breaks(before, now({ a: text }))).toEqual(['data.b is gone'])
    expect(breaks(before, now({ a: text, b: text }, []))).toEqual(['data.a may be absent now'])
    expect(breaks(before, now({ a: { type: 'integer' }, b: text }))).toEqual(['data.a may be integer now'])
    const orNull = { anyOf: [text, { type: 'null' }] }
    expect(breaks(before, now({ a: orNull, b: text }))).toEqual(['data.a may be null now'])
    expect(breaks(now({ a: orNull }), now({ a: text }))).toEqual([])
  })
})

describe('the catalogue', () => {
  it('explains each field, and its example fits the schema', () => {
    for (const { from } of catalogue) {
      const { schema, fields, sentence } = publicationOf(from) ?? { fields: [], sentence: '' }
      expect(sentence).toMatch(/[.).]$/)
      for (const { description } of fields) expect(description).toMatch(/\w/)
      const example = shownCatalogue().find(({ type }) => type === catalogue.find((each) => each.from === from)?.type)
      expect(schema?.strict().safeParse(example?.example).error, from).toBeUndefined()
    }
  })

  it('explains each column of a table, with the events that it comes from, and its example fits the schema', () => {
    const types = new Set(catalogue.map(({ type }) => type))
    for (const { name, key, columns, example } of shownTables()) {
      const { schema } = publishedTables[name as keyof typeof publishedTables]
      expect(schema.strict().safeParse(example).error, name).toBeUndefined()
      for (const column of key) expect(Object.keys(schema.shape)).toContain(column)
      for (const { sentence, from } of columns) {
        expect(sentence).toMatch(/\w.*\.$/)
        expect(from.length).toBeGreaterThan(0)
        for (const type of from) expect(types).toContain(type)
      }
    }
  })

  it('is an AsyncAPI document whose references all lead somewhere', () => {
    const document = asyncApi() as Record<string, never>
    const refs = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    expect(refs.length).toBeGreaterThan(catalogue.length)
    for (const ref of new Set(refs)) {
      const path = ref.slice(3, -1).split('/')
      expect(
        path.reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document),
        ref,
      ).toBeDefined()
    }
  })
})
