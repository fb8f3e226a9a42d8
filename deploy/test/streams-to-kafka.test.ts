import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EventType } from '@prosa/contracts/events/all-events'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { cloudEventType, publicationOf } from '@prosa/contracts/published/published-of'
import { tableNames } from '@prosa/contracts/published/tables/all-tables'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { type DuckDb, openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { type Broker, noBroker, startBroker } from '@prosa/streams/testing/kafka-broker'
import { type ReadRecord, readTopic } from '@prosa/streams/testing/read-topic'
import { Kafka } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductProcess, productProcess } from './product-process.ts'
import { tracesOf } from './traces.ts'
import { Visitor } from './visitor.ts'

const prefix = `walk-${crypto.randomUUID().slice(0, 8)}`
const [number, shopNumber, otherShop] = ['5511977001122', '5511900000001', '5511900000002']
const written = Array.from({ length: 10 }, (_, index) => `Escrevi a planta-recebida-${index} 🥜`)
const answered = ['Anotei a planta-respondida', 'Entregamos na Rua Planta-Respondida, 77']
const names = ['Ana Planta-Apelido', 'Ana Planta-Renomeada']
const note = 'Nota: paga na planta-dezoito'
const [shopName, connectionName] = ['Padaria Planta-Dona', 'Conexão Planta-Balcão']
/** 20 with the number in two forms and the e-mail of who answers. */
const planted = [...written, ...answered, ...names, note, shopName, connectionName, number, number.slice(4), '@example']

const ofPerson = [...written, ...answered, ...names, note, number, number.slice(4)]

/** All that a key reads: events and tables in each format, as text. Parquet as DuckDB reads it. */
const pulled = async (url: string, key: string, duckdb: DuckDb): Promise<Map<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'pulled-'))
  const found = new Map<string, string>()
  try {
    for (const name of ['events', ...tableNames.map((table) => `tables/${table}`)])
      for (const format of ['ndjson', 'csv', 'parquet']) {
        const response = await fetch(`${url}/api/streams/${name}?format=${format}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        const content = Buffer.from(await response.arrayBuffer())
        expect([name, format, response.status]).toEqual([name, format, 200])
        if (format !== 'parquet') found.set(`${name} ${format}`, content.toString())
        else {
          const file = join(folder, 'pulled.parquet')
          await writeFile(file, content)
          found.set(`${name} ${format}`, JSON.stringify(await duckdb.query(`select * from read_parquet('${file}')`)))
        }
      }
    return found
  } finally {
    await rm(folder, { recursive: true })
  }
}
const tracesIn = (texts: readonly string[], answers: ReadonlyMap<string, string>) =>
  [...answers].flatMap(([name, content]) => tracesOf(texts, content).map((text) => `${name}: ${text}`))

const typeOf = (service: string, type: EventType) =>
  cloudEventType(service, publicationOf(type) ?? expect.fail(`${type} is not published`))

describe.skipIf(noBroker)(`the whole product publishes to Kafka${noBroker}`, () => {
  let broker: Broker
  let database: TestPostgres
  let product: ProductProcess
  let env: Record<string, string>
  let duckdb: DuckDb
  const whatsapp = new SandboxServer({ fewPreKeys: true })
  const tenants: Visitor[] = []

  beforeAll(async () => {
    broker = await startBroker()
    duckdb = await openDuckDb()
    database = await testPostgres()
    await whatsapp.start()
    env = { KAFKA_BROKERS: broker.brokers.join(','), KAFKA_TOPIC_PREFIX: prefix }
    product = await productProcess(database.url, whatsapp.url, { env })
  }, 300_000)
  afterAll(async () => {
    await product?.remove()
    await whatsapp.stop()
    await database?.drop()
    await broker?.remove()
    duckdb?.close()
  })

  /** Of all topics with the prefix. */
  const published = async (): Promise<ReadRecord[]> => {
    const admin = new Kafka({ brokers: broker.brokers, logCreator: () => () => undefined }).admin()
    await admin.connect()
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix))
    await admin.disconnect()
    const records: ReadRecord[] = []
    for (const topic of topics) records.push(...(await readTopic(broker.brokers, topic)))
    return records
  }
  const publishedWith = async (type: string, count: number) => {
    const topic = `${prefix}.contacts.${type.includes('message') ? 'chat' : 'contact'}`
    await until(async () => {
      const records = await readTopic(broker.brokers, topic).catch(() => [])
      return records.filter(({ headers }) => headers.ce_type === type).length === count
    }, 60_000)
    return published()
  }

  it('publishes two tenants’ conversations, without anything of a person', async () => {
    const ana = whatsapp.addPhone(number, names[0] ?? '')
    for (const shop of [shopNumber, otherShop]) {
      const phone = whatsapp.addPhone(shop, shopName)
      const tenant = await new Visitor(product.url).register()
      tenants.push(tenant)
      await tenant.link(phone, connectionName)
      await ana.sendText(shop, written[0] ?? '')
      await until(async () => (await tenant.contacts('waiting')).length === 1)
    }
    const records = await publishedWith(typeOf('contacts', 'MessageReceived'), 2)
    expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(records.length)
    const chats = records.filter(({ headers }) => headers.ce_type === typeOf('contacts', 'MessageReceived'))
    expect(new Set(chats.map(({ headers }) => headers.ce_tenant)).size).toBe(2)
    expect(tracesOf(planted, JSON.stringify(records))).toEqual([])
  }, 180_000)

  it('has 0 of 20 planted strings in topics, events and tables, before and after a person was erased', async () => {
    expect(planted).toHaveLength(20)
    const [tenant = expect.fail('nobody registered')] = tenants
    const ana = whatsapp.phones.get(number)
    for (const text of written.slice(1)) await ana?.sendText(shopNumber, text)
    const contact = await until<Contact | undefined>(async () => (await tenant.contacts('waiting'))[0])
    const [connection] = await tenant.connections()
    for (const text of answered) await tenant.send(connection?.id ?? '', contact.id, text)
    const about = `/api/whatsapp/contacts/${contact.id}`
    expect((await tenant.ask('PUT', `${about}/name`, { name: names[1] })).status).toBe(200)
    await tenant.post(`${about}/notes`, { text: note })
    const before = await publishedWith(typeOf('contacts', 'MessageReceived'), written.length + 1)
    expect(tracesOf([...planted, contact.id], JSON.stringify(before))).toEqual([])

    const newKey = async (withPersonal: boolean) => {
      const wish = { name: 'Painel', scopes: ['streams', 'tables'], expiresInDays: 1, withPersonal }
      return (await tenant.post<{ key: string }>('/api/keys', wish)).key
    }
    const [plain, personal] = [await newKey(false), await newKey(true)]
    expect(tracesIn([...planted, contact.id], await pulled(product.url, plain, duckdb))).toEqual([])
    const own = await pulled(product.url, personal, duckdb)
    for (const format of ['ndjson', 'csv', 'parquet'])
      expect(tracesOf(written, own.get(`events ${format}`) ?? '')).toEqual(written)

    expect((await tenant.ask('DELETE', about)).status).toBe(200)
    const after = await publishedWith(typeOf('contacts', 'ContactErased'), 1)
    expect(tracesOf([...planted, contact.id], JSON.stringify(after))).toEqual([])
    // Half a minute at most: keys in memory.
    await until(async () => tracesIn(ofPerson, await pulled(product.url, personal, duckdb)).length === 0, 60_000)
    expect(tracesIn([...planted, contact.id], await pulled(product.url, plain, duckdb))).toEqual([])
    const erased = after.find(({ headers }) => headers.ce_type === typeOf('contacts', 'ContactErased'))
    // So that readers know what to delete.
    expect(before.map(({ key }) => key)).toContain(erased?.key)
  }, 180_000)

  it('is filled into a new topic by the operator, as many as the log has', async () => {
    const program = await builtProgram(join(import.meta.dirname, '../src/backfill.ts'))
    const topic = `filled-${prefix}`
    const backfill = (...args: string[]) =>
      promisify(execFile)(process.execPath, [program, ...args], {
        env: {
          ...{ PATH: process.env.PATH, DATABASE_URL: database.url, PROSA_SECRET: product.secret, ...env },
          LOG_LEVEL: 'fatal',
        },
      }).catch((error: { stderr: string }) => error)
    const ofContacts = (records: readonly ReadRecord[]) =>
      records.filter(({ headers }) => headers.ce_source === '/prosa/contacts')
    const { stdout } = (await backfill(topic, '--service', 'contacts')) as { stdout: string }
    const [filled, live] = [await readTopic(broker.brokers, topic), ofContacts(await published())]
    expect(stdout).toBe(`${topic}: all ${filled.length} events of the range, as many as the log has.\n`)
    expect(filled.map(({ headers }) => headers.ce_id).sort()).toEqual(live.map(({ headers }) => headers.ce_id).sort())
    expect(tracesOf(planted, JSON.stringify(filled))).toEqual([])
    expect(await backfill(`${prefix}.contacts.chat`)).toMatchObject({
      code: 1,
      stderr: `${prefix}.contacts.chat is published all the time: choose another topic.\n`,
    })
    expect(await backfill('--since', 'ontem', topic)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no instant'),
    })
  }, 120_000)
})
