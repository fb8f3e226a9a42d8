import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { endpoints } from '@prosa/contracts/http/endpoints'
import type { PublishedStream, StreamDay } from '@prosa/contracts/http/streams'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import type { KeyScope } from '@prosa/contracts/values/key'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { beginning } from '@prosa/kernel/event-store/port'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { apiKeys } from '@prosa/product/keys/api-keys'
import { keyRoutes } from '@prosa/product/keys/key-routes'
import { type DuckDb, openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { columnsOf } from '@prosa/product/publishing/event-rows'
import { publishWithPersonal } from '@prosa/product/publishing/publish-events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { formats, type Question, ReadingEnded, readEvents } from './read-events.ts'

const [ana, bia, lia, caio] = ['ana', 'bia', 'lia', 'caio'].map(idOf) as [string, string, string, string]
const [maria, joao] = [idOf('contact maria'), idOf('contact joao')]
const connectionId = idOf('connection')
/** Whatever a person wrote or is called, of which the pseudonymised output may hold nothing. */
const planted = Array.from({ length: 20 }, (_, number) => `SEGREDO-${number}-`)
let used = 0
const secret = () => planted[used++ % planted.length] ?? ''

let now = 9000
let prosa: Awaited<ReturnType<typeof testProjections>>
let duckdb: DuckDb
let folder: string

/** Of a row from DuckDB: as NDJSON has it. */
const plain = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'time' || name === 'sentAt')
        return [name, new Date(`${String(value).replace(/\+00$/, 'Z')}`).toISOString()]
      if (name === 'isReply') return [name, String(value) === 'true']
      return [name, name === 'data' ? JSON.parse(String(value)) : value]
    }),
  )

const record = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
  for (const event of events) await prosa.append(tenant, stream, event)
}
const registered = (name: string): AnyEvent => ({
  type: 'UserRegistered',
  data: {
    firstName: secret(),
    lastName: secret(),
    email: `${name}@example.com`,
    credentialId: idOf(`password ${name}`),
  },
})
const received = (number: number): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: `message ${number}`,
    connectionId,
    content: { kind: 'text', text: `${secret()}${number}` },
    sentAt: at(number),
  },
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'streams-'))
  duckdb = await openDuckDb()
  prosa = await testProjections({ now: () => at(now) })
  await prosa.app.register(keyRoutes(prosa.ports))
  await prosa.app.listen({ port: 0, host: '127.0.0.1' })
  for (const [user, name] of Object.entries({ [ana]: 'ana', [bia]: 'bia', [lia]: 'lia', [caio]: 'caio' }))
    await record(user, `user-${user}`, registered(name))
  await record(lia, `user-${lia}`, { type: 'RoleGranted', data: { role: 'analyst' } })
  await record(
    ana,
    `contact-${maria}`,
    {
      type: 'ContactAdded',
      data: { phone: '5511988776655', lid: `${secret()}@lid`, name: secret(), origin: 'message' },
    },
    { type: 'ContactNoteWritten', data: { noteId: idOf('note'), text: secret(), attendantId: ana } },
    { type: 'ConversationAccepted', data: { attendantId: ana } },
  )
  for (let number = 0; number < 250; number++) await record(ana, `chat-${maria}`, received(number))
  await record(ana, `label-${ana}`, {
    type: 'LabelCreated',
    data: { labelId: idOf('label'), name: secret(), colour: 'red' },
  })
  await record(ana, `connection-${connectionId}`, { type: 'ConnectionAdded', data: { name: secret() } })
  await record(bia, `contact-${joao}`, {
    type: 'ContactAdded',
    data: { phone: '5511977776666', lid: null, name: secret(), origin: 'attendant' },
  })
  await record(bia, `chat-${joao}`, received(1000))
  await until(async () => (await prosa.ports.roles.of(lia)).includes('analyst'))
}, 60_000)
afterAll(async () => {
  await prosa?.stop()
  duckdb.close()
  await rm(folder, { recursive: true })
})

interface KeyWish {
  withPersonal?: boolean
  scopes?: KeyScope[]
  expiresInDays?: number
}

const cookieOf = async (user: string) => `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
const command = async (user: string, method: 'POST' | 'DELETE', url: string, payload?: object) =>
  prosa.app.inject({ method, url, headers: { cookie: await cookieOf(user) }, ...(payload && { payload }) })
const newKey = async (user: string, wish: KeyWish = {}, path = '/api/keys') => {
  const reply = await command(user, 'POST', path, { name: 'Painel', scopes: ['streams'], expiresInDays: 30, ...wish })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json() as { id: string; key: string }
}
const analystKey = () => newKey(lia, {}, '/api/analyst/keys')

const read = (key: string, query = '', headers: Record<string, string> = {}) =>
  prosa.app.inject({
    method: 'GET',
    url: `/api/streams/events${query}`,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
const eventsIn = (text: string): PublishedEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const eventsOf = async (key: string, query = '') => {
  const reply = await read(key, query)
  expect(reply.statusCode, reply.body).toBe(200)
  return eventsIn(reply.body)
}

describe('published events', () => {
  it('come in order, each as the catalogue says, to an analyst without anything of a person', async () => {
    const { key } = await analystKey()
    const reply = await read(key)
    expect(reply.headers['content-type']).toMatch('application/x-ndjson')
    const events = eventsIn(reply.body)
    const catalogue: PublishedStream[] = (await prosa.app.inject({ url: '/api/streams' })).json()
    const named = new Map(catalogue.map((entry) => [entry.type, entry]))
    for (const { type } of events) expect(Object.keys(named.get(type)?.schema ?? {}), type).toContain('properties')
    expect(events.filter(({ type }) => type === 'prosa.contacts.message-received.v1')).toHaveLength(251)
    for (const text of [...planted, '5511988776655', '@example.com', ana, bia, maria, joao, connectionId])
      expect([text, reply.body.includes(text)]).toEqual([text, false])
    expect(new Set(events.filter(({ tenant }) => tenant).map(({ tenant }) => tenant)).size).toBe(4)
    const chats = events.filter(({ subject }) => subject.startsWith('chat-'))
    expect(chats.slice(0, 250).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 250 }, (_, index) => index),
    )
  })

  it('are only the tenant’s own with its key, with personal fields where the key asks for them', async () => {
    const own = await newKey(ana)
    const events = await eventsOf(own.key)
    expect(new Set(events.map(({ tenant }) => tenant)).size).toBe(1)
    expect(JSON.stringify(events)).not.toMatch(/SEGREDO|5511988776655/)
    const personal = await eventsOf((await newKey(ana, { withPersonal: true })).key)
    expect(personal.map(({ id }) => id).slice(0, events.length)).toEqual(events.map(({ id }) => id))
    const added = personal.find(({ type }) => type.includes('contact-added'))
    expect(added).toMatchObject({ subject: `contact-${maria}`, tenant: ana, data: { phone: '5511988776655' } })
    expect(JSON.stringify(personal)).not.toContain(joao)
  })

  it('go on after the position of the last one, which says nothing of the log and is nobody else’s', async () => {
    const { key } = await analystKey()
    const all = await eventsOf(key)
    const middle = all[100]
    expect(await eventsOf(key, `?after=${middle?.position}`)).toEqual(all.slice(101))
    expect(middle?.position).toMatch(/^[\w-]{22}$/)
    const { key: hers } = await newKey(ana)
    for (const after of [middle?.position, '1', 'inventada', ''])
      expect((await read(hers, `?after=${after}`)).json().type).toBe('stream_position_unknown')
  })

  it('end with the event of the position that is named', async () => {
    const { key } = await analystKey()
    const all = await eventsOf(key)
    const [first, last] = [all[100]?.position, all[110]?.position]
    expect(await eventsOf(key, `?after=${first}&upTo=${last}`)).toEqual(all.slice(101, 111))
    expect(await eventsOf(key, `?after=${last}&upTo=${first}`)).toEqual([])
    expect((await read(key, '?upTo=inventada')).json().type).toBe('stream_position_unknown')
  })

  it('are chosen by service, type, time and tenant', async () => {
    const { key } = await analystKey()
    const all = await eventsOf(key)
    const type = 'prosa.contacts.message-received.v1'
    expect(await eventsOf(key, `?type=${type}`)).toEqual(all.filter((event) => event.type === type))
    const identity = await eventsOf(key, '?service=identity')
    expect(identity).toEqual(all.filter(({ source }) => source === '/prosa/identity'))
    const [from, to] = [all[50]?.time ?? '', all[60]?.time ?? '']
    const between = await eventsOf(key, `?since=${from}&until=${to}`)
    expect(between).toEqual(all.filter(({ time }) => time >= from && time < to))
    const tenant = all.find(({ subject }) => subject.startsWith('connection-'))?.tenant
    expect(await eventsOf(key, `?tenant=${tenant}`)).toEqual(all.filter((event) => event.tenant === tenant))
    expect((await read(key, '?type=prosa.nada.v1')).json().type).toBe('stream_type_unknown')
    expect((await read(key, '?since=ontem')).statusCode).toBe(422)
  })

  it('are compressed if that is accepted', async () => {
    const { key } = await analystKey()
    const reply = await read(key, '', { 'accept-encoding': 'gzip' })
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(eventsIn(gunzipSync(reply.rawPayload).toString())).toEqual(await eventsOf(key))
  })

  it('follow live, until the reader leaves', async () => {
    const { key } = await newKey(bia)
    const known = await eventsOf(key)
    const { port } = prosa.app.server.address() as AddressInfo
    const path = `/api/streams/events?live=true&after=${known.at(-1)?.position}`
    const request = ask({ port, path, headers: { authorization: `Bearer ${key}` } }).end()
    const [response] = await once(request, 'response')
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('error', () => undefined)
    await record(bia, `chat-${joao}`, received(2000))
    await until(() => eventsIn(text).length === 1)
    expect(eventsIn(text)[0]).toMatchObject({ type: 'prosa.contacts.message-received.v1', revision: 1 })
    request.destroy()
  })

  it('are read only as fast as they are taken', async () => {
    const { store, codec, pool } = prosa.ports
    let read = 0
    const counted = {
      ...codec,
      decode: (page: Parameters<typeof codec.decode>[0]) => {
        read += page.length
        return codec.decode(page)
      },
    }
    const question: Question = {
      after: beginning,
      upTo: undefined,
      tenant: ana,
      query: {},
      publish: async (events) => events.map(({ id }) => ({ id }) as PublishedEvent),
      tokensOf: (positions) => positions,
      mayGoOn: async () => true,
    }
    const deps = { store, codec: counted, times: logTimes({ store, pool }) }
    for (const format of Object.values(formats)) {
      read = 0
      const pieces = format.write(readEvents(deps, question, new AbortController().signal), columnsOf([], false))
      await pieces.next()
      if (format === formats.csv) await pieces.next()
      expect(read).toBe(format === formats.parquet ? 256 : 100)
      await pieces.return('')
    }
  })

  it('are cut off without an end where the key is over in between', async () => {
    const lines = readEvents(
      { ...prosa.ports, times: logTimes(prosa.ports) },
      {
        ...{ after: beginning, upTo: undefined, tenant: ana, query: {}, publish: publishWithPersonal },
        tokensOf: (positions) => positions,
        mayGoOn: async () => false,
      },
      new AbortController().signal,
    )
    await expect(lines.next()).rejects.toThrow(ReadingEnded)
  })
})

const fileOf = async (content: Buffer | string) => {
  const path = join(folder, randomUUID())
  await writeFile(path, content)
  return path
}

describe('as a table', () => {
  const type = 'prosa.contacts.message-received.v1'

  it('has a line or row for each event, and for one type a column for each field: what DuckDB reads of it is the log', async () => {
    const { key } = await newKey(ana, { withPersonal: true })
    for (const query of [`type=${type}`, 'service=contacts']) {
      const events = await eventsOf(key, `?${query}`)
      const wanted = events.map(({ id, time, subject, revision, tenant, actor, position, data }) => ({
        ...{ id, time, subject, revision: String(revision), tenant, actor, position },
        ...(query.startsWith('type')
          ? { text: data.text, characters: String(data.characters), isReply: data.isReply, sentAt: data.sentAt }
          : { data: JSON.parse(JSON.stringify(data)) }),
      }))
      const columns = query.startsWith('type') ? 'text, characters, "isReply", "sentAt"' : 'data'
      const csv = await read(key, `?${query}&format=csv`)
      expect(csv.headers['content-type']).toMatch('text/csv')
      const parquet = await read(key, `?${query}&format=parquet`)
      for (const source of [
        `read_csv('${await fileOf(csv.body)}', header = true, all_varchar = true, quote = '"', escape = '"')`,
        `read_parquet('${await fileOf(parquet.rawPayload)}')`,
      ]) {
        const rows = await duckdb.query(
          `select id, time, subject, revision, tenant, actor, position, ${columns} from ${source}`,
        )
        expect(rows.map(plain)).toEqual(wanted)
      }
    }
  })

  it('gives a spreadsheet nothing to compute, and the position as it is', async () => {
    const { key } = await newKey(ana, { withPersonal: true })
    const before = (await eventsOf(key)).at(-1)?.position
    const texts = ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1', 'a"b', 'a\r\nb', ' =1', "'=1"]
    for (const [number, text] of texts.entries())
      await record(ana, `chat-${maria}`, {
        type: 'MessageReceived',
        data: { messageId: `formula ${number}`, connectionId, content: { kind: 'text', text }, sentAt: at(number) },
      })
    const reply = await read(key, `?type=${type}&format=csv&after=${before}`)
    const path = await fileOf(reply.body)
    const rows = await duckdb.query(
      `select text, position from read_csv('${path}', header = true, all_varchar = true, quote = '"', escape = '"')`,
    )
    expect(rows.map(({ text }) => text)).toEqual(texts.map((text) => (/^[=+\-@\t\r＝]/.test(text) ? `'${text}` : text)))
    expect(reply.body.match(/(^|[,\n])"?[=+@\t\r]/)).toBeNull()
    for (const { position } of rows.slice(0, -1)) expect((await read(key, `?after=${position}`)).statusCode).toBe(200)
  })

  it('is compressed as text, not as Parquet, and follows nothing', async () => {
    const { key } = await newKey(bia)
    const csv = await read(key, '?format=csv', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(csv.rawPayload).toString()).toBe((await read(key, '?format=csv')).body)
    const parquet = await read(key, '?format=parquet', { 'accept-encoding': 'gzip' })
    expect([parquet.headers['content-encoding'], parquet.rawPayload.subarray(0, 4).toString()]).toEqual([
      undefined,
      'PAR1',
    ])
    for (const format of ['csv', 'parquet'])
      expect((await read(key, `?live=true&format=${format}`)).json().type).toBe('stream_follows_as_text')
    expect((await read(key, '?format=xml')).statusCode).toBe(422)
  })
})

describe('files of a closed day', () => {
  const day = '2026-11-21'
  const type = 'prosa.contacts.message-received.v1'
  const file = `/api/streams/days/${day}/${type}.parquet`
  const ask = (key: string, url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    prosa.app.inject({ method, url, headers: { authorization: `Bearer ${key}`, ...headers } })
  const days = 24 * 3600
  beforeAll(() => {
    now += days
  })
  afterAll(() => {
    now -= days
  })

  it('are listed, and hold what the events say', async () => {
    const { key } = await analystKey()
    const list: StreamDay = (await ask(key, `/api/streams/days/${day}`)).json()
    const events = await eventsOf(key)
    expect(list.files.map(({ type, events }) => [type, events])).toEqual(
      [...new Set(events.map((event) => event.type))]
        .toSorted()
        .map((type) => [type, events.filter((event) => event.type === type).length]),
    )
    for (const { path, bytes, etag, type } of list.files) {
      const reply = await ask(key, path)
      expect([reply.rawPayload.length, reply.headers.etag]).toEqual([bytes, etag])
      const ids = await duckdb.query(`select id from read_parquet('${await fileOf(reply.rawPayload)}')`)
      expect(ids.map(({ id }) => id)).toEqual(events.filter((event) => event.type === type).map(({ id }) => id))
    }
  })

  it('are answered in parts, by HEAD and by ETag, as DuckDB asks for them', async () => {
    const { key } = await newKey(ana)
    const whole = (await ask(key, file)).rawPayload
    const head = await ask(key, file, {}, 'HEAD')
    expect([head.statusCode, head.rawPayload.length, head.headers]).toEqual([
      200,
      0,
      expect.objectContaining({ 'content-length': String(whole.length), 'accept-ranges': 'bytes' }),
    ])
    const etag = String(head.headers.etag)
    const part = await ask(key, file, { range: 'bytes=4-99', 'if-range': etag })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 4-99/${whole.length}`])
    expect(part.rawPayload).toEqual(whole.subarray(4, 100))
    const footer = await ask(key, file, { range: 'bytes=-8' })
    expect(footer.rawPayload).toEqual(whole.subarray(-8))
    expect((await ask(key, file, { range: 'bytes=4-99', 'if-range': '"other"' })).rawPayload).toEqual(whole)
    expect((await ask(key, file, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await ask(key, file, { 'if-match': '"other"' })).statusCode).toBe(412)
    expect((await ask(key, file, { range: `bytes=${whole.length}-` })).statusCode).toBe(416)
  })

  it('are each reader’s own: a tenant’s hold nobody else, and a key with personal fields has none', async () => {
    const rows = async (key: string) =>
      duckdb.query(`select id from read_parquet('${await fileOf((await ask(key, file)).rawPayload)}')`)
    const hers = await newKey(bia)
    const wanted = (await eventsOf(hers.key, `?type=${type}`)).map(({ id }) => ({ id }))
    expect(await rows(hers.key)).toEqual(wanted)
    const own = await newKey(ana)
    expect(await rows(own.key)).toHaveLength((await eventsOf(own.key, `?type=${type}`)).length)
    const personal = await newKey(ana, { withPersonal: true })
    for (const url of [file, `/api/streams/days/${day}`])
      expect((await ask(personal.key, url)).json().type).toBe('stream_day_without_personal')
  })

  it('are there for every type, and for no day that is open, no day at all, and no other name', async () => {
    const { key } = await newKey(ana)
    const empty = await ask(key, `/api/streams/days/${day}/prosa.contacts.label-deleted.v1.parquet`)
    const rows = await duckdb.query(
      `select count(*) as n, count("labelId") as m from read_parquet('${await fileOf(empty.rawPayload)}')`,
    )
    expect(rows).toEqual([{ n: '0', m: '0' }])
    for (const other of ['2026-11-22', '2099-01-01', '2026-02-30', 'ontem', '..%2f..'])
      expect((await ask(key, `/api/streams/days/${other}`)).json().type).toBe('stream_day_open')
    for (const name of ['prosa.nada.v1.parquet', `${type}.csv`, '__proto__.parquet', '.parquet'])
      expect((await ask(key, `/api/streams/days/${day}/${name}`)).json().type).toBe('stream_type_unknown')
    now -= days
    expect((await ask(key, file)).json().type).toBe('stream_day_open')
    now += days
  })
})

/** All routes: `deploy/test/keys-on-every-route.test.ts`. */
describe('a signed-in browser', () => {
  const readIn = async (user: string, query = '') => {
    const reply = await prosa.app.inject({
      url: `/api/streams/events${query}`,
      headers: { cookie: await cookieOf(user) },
    })
    expect(reply.statusCode, reply.body).toBe(200)
    return eventsIn(reply.body)
  }
  const exportsOf = async (user: string) =>
    (await everythingIn(prosa.ports.store, 'streamExport')).filter(({ stream }) =>
      stream.startsWith(`streamExport-${user}:${user}:`),
    )

  it('reads what a key of the tenant reads, with personal fields where it asks for them; each stands in the history', async () => {
    const own = await eventsOf((await newKey(ana)).key)
    expect(new Set((await readIn(ana)).map(({ id }) => id))).toEqual(new Set(own.map(({ id }) => id)))
    expect(JSON.stringify(await readIn(ana))).not.toMatch(/SEGREDO|5511988776655/)
    const personal = JSON.stringify(await readIn(ana, '?personal=true'))
    expect(personal).toContain('5511988776655')
    expect(personal).not.toContain(joao)
    expect((await exportsOf(ana)).map(({ data, metadata }) => [data, metadata.tenant])).toEqual([
      [expect.objectContaining({ keyId: ana, withPersonal: false }), ana],
      [expect.objectContaining({ keyId: ana, withPersonal: true }), ana],
    ])
    const { body } = await prosa.get(`/api/keys`, ana)
    expect(JSON.stringify(body)).not.toContain(`"id":"${ana}"`)
  })

  it('of an analyst reads all tenants, and nothing of a person, whatever it asks for', async () => {
    const events = await readIn(lia, '?personal=true')
    expect(new Set(events.flatMap(({ tenant }) => (tenant ? [tenant] : []))).size).toBe(4)
    for (const text of [...planted, '5511988776655', ana, maria])
      expect([text, JSON.stringify(events).includes(text)]).toEqual([text, false])
    expect((await exportsOf(lia)).at(-1)?.data).toMatchObject({ withPersonal: false })
  })

  it('does not lend its personal fields to a key that has none', async () => {
    const { key } = await newKey(ana)
    expect(JSON.stringify(await eventsOf(key, '?personal=true'))).not.toMatch(/SEGREDO|5511988776655/)
  })

  it('reads on only while the session is open', async () => {
    const { token } = await prosa.ports.browserSessions.issue(ana)
    const headers = { cookie: `${sessionCookie}=${token}` }
    const keys = apiKeys(prosa.ports)
    const session = { id: ana, userId: ana, reach: 'tenant', withPersonal: false, session: headers } as const
    expect(await keys.isValid(session)).toBe(true)
    expect(await keys.isValid({ ...session, reach: 'platform' })).toBe(false)
    await prosa.ports.browserSessions.revoke(token)
    expect(await keys.isValid(session)).toBe(false)
  })
})

const keyed: readonly (Endpoint & { key: KeyScope })[] = (endpoints as readonly Endpoint[]).filter(
  (each): each is Endpoint & { key: KeyScope } => each.key !== undefined && each.path.startsWith('/api/streams'),
)
const otherScope = (scope: KeyScope): KeyScope => (scope === 'streams' ? 'tables' : 'streams')

describe('a key', () => {
  const refusalOn = async ({ method, path }: Endpoint, authorization?: string, cookie?: string) => {
    const headers = { ...(authorization && { authorization }), ...(cookie && { cookie }) }
    const reply = await prosa.app.inject({ method, url: path.replaceAll(/:\w+/g, idOf('x')), headers })
    return [path, reply.statusCode, reply.statusCode === 200 ? reply.body.slice(0, 100) : reply.json().type]
  }

  it('is needed on every route that takes one; a session is none, and repairs none', async () => {
    expect(keyed.length).toBeGreaterThan(0)
    const { key } = await newKey(ana)
    const forged = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    const foreign = key.replace(/^prosa_.{43}/, (await newKey(bia)).key.slice(0, 49))
    for (const each of keyed)
      for (const authorization of [
        ...(each.alsoInBrowser ? [] : [undefined]),
        'Bearer',
        'Bearer prosa_',
        `Basic ${key}`,
        `Bearer ${forged}`,
        `Bearer ${foreign}`,
      ])
        expect(await refusalOn(each, authorization, await cookieOf(ana))).toEqual([each.path, 401, 'key_required'])
    for (const each of keyed) expect(await refusalOn(each)).toEqual([each.path, 401, 'key_required'])
  })

  it('is refused on every route without the scope, once revoked, once expired, and with its account', async () => {
    const revoked = await newKey(ana)
    expect((await command(ana, 'DELETE', `/api/keys/${revoked.id}`)).statusCode).toBe(200)
    expect((await command(ana, 'DELETE', `/api/keys/${revoked.id}`)).statusCode).toBe(200)
    const expired = await newKey(ana, { expiresInDays: 1 })
    const erased = await newKey(caio)
    await record(caio, `user-${caio}`, { type: 'UserErased', data: {} })
    for (const each of keyed) {
      const without = await newKey(ana, { scopes: [otherScope(each.key)] })
      expect(await refusalOn(each, `Bearer ${without.key}`)).toEqual([each.path, 403, 'key_not_allowed'])
      now += 2 * 24 * 3600
      for (const { key } of [revoked, expired, erased])
        expect(await refusalOn(each, `Bearer ${key}`)).toEqual([each.path, 401, 'key_over'])
      now -= 2 * 24 * 3600
    }
  })

  it('of an analyst ends with the role, and nobody else gets one', async () => {
    const { key } = await analystKey()
    const wish = { name: 'Tudo', scopes: ['streams'], expiresInDays: 1 }
    expect((await command(ana, 'POST', '/api/analyst/keys', wish)).statusCode).toBe(403)
    await record(lia, `user-${lia}`, { type: 'RoleRevoked', data: { role: 'analyst' } })
    await until(async () => !(await prosa.ports.roles.of(lia)).includes('analyst'))
    expect((await read(key)).json().type).toBe('key_over')
    await record(lia, `user-${lia}`, { type: 'RoleGranted', data: { role: 'analyst' } })
    await until(async () => (await prosa.ports.roles.of(lia)).includes('analyst'))
  })

  it('is shown once, kept as a hash, listed with its last use, and no other tenant’s to revoke', async () => {
    const { id, key } = await newKey(bia, { withPersonal: true })
    await eventsOf(key)
    expect((await command(ana, 'DELETE', `/api/keys/${id}`)).json().type).toBe('key_not_found')
    const stored = JSON.stringify(
      (await everythingIn(prosa.ports.store, 'apiKey')).map(({ data, stream }) => ({ data, stream })),
    )
    expect(stored).toContain(id)
    expect(stored).not.toContain(key.slice(-64))
    const list = async () => (await prosa.get('/api/keys', bia)).body as { id: string; lastUsedAt: string | null }[]
    await until(async () => (await list()).some((each) => each.id === id && each.lastUsedAt === at(now)))
    expect(JSON.stringify(await list())).not.toContain(key.slice(-64))
    expect((await prosa.get('/api/keys', ana)).body).not.toEqual(expect.arrayContaining([{ id }]))
  })

  it('leaves each export in the log before its reply, the same question once an hour', async () => {
    const { id, key } = await newKey(ana)
    const exportsOf = async () =>
      (await everythingIn(prosa.ports.store, 'streamExport')).filter(({ stream }) => stream.includes(id))
    await eventsOf(key)
    await eventsOf(key)
    await eventsOf(key, '?service=contacts')
    const found = await exportsOf()
    expect(found.map(({ data, metadata }) => [data, metadata.tenant])).toEqual([
      [expect.objectContaining({ services: [], withPersonal: false }), ana],
      [expect.objectContaining({ services: ['contacts'], withPersonal: false }), ana],
    ])
    now += 3600
    await eventsOf(key)
    expect(await exportsOf()).toHaveLength(3)
  })

  it('reads at most four answers at once', async () => {
    const { key } = await newKey(bia)
    const { port } = prosa.app.server.address() as AddressInfo
    const open = () =>
      ask({ port, path: '/api/streams/events?live=true', headers: { authorization: `Bearer ${key}` } }).end()
    const readers = [open(), open(), open(), open()]
    for (const reader of readers) reader.on('error', () => undefined)
    for (const [response] of await Promise.all(readers.map((reader) => once(reader, 'response')))) {
      expect(response.statusCode).toBe(200)
      response.on('error', () => undefined).resume()
    }
    expect((await read(key)).json().type).toBe('too_many_streams')
    readers[0]?.destroy()
    await until(async () => (await read(key)).statusCode === 200)
    for (const reader of readers) reader.destroy()
  })
})
