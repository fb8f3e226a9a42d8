import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { startDoubleProcess } from '@prosa/kernel/event-store/eventstoredb/double/start-double-process'
import { noRealServer, startRealServer } from '@prosa/kernel/event-store/eventstoredb/real-server'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Destination, migrationSets, positionTables } from '../src/move-configured-log.ts'
import { busyShop } from './busy-shop.ts'
import { type ProductProcess, productProcess } from './product-process.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { Visitor } from './visitor.ts'

const shopNumber = '5511900000001'
const secretOfAna = 'Minha alergia é a amendoim-plantado'

let database: TestPostgres
/** Of the test: the product's sessions would stop a move. */
let db: pg.Client
let server: { url: string; stop(): Promise<void> }
let network: SandboxServer
let product: ProductProcess
const env: Record<string, string> = {}

const isEmpty = async (url: string): Promise<boolean> => {
  const store = await eventStoreDbEventStore({ url })
  try {
    for await (const { events } of store.readWhole(beginning)) if (events.length > 0) return false
    return true
  } finally {
    await store.close()
  }
}

/** A move needs an empty server of its own. */
const startServer = async () => {
  const real = noRealServer ? undefined : await startRealServer()
  if (real && (await isEmpty(real.url))) return real
  await real?.stop()
  const reason = noRealServer || ' (the server of EVENTSTORE_URL holds events)'
  console.log(`The log is moved to the double and back${reason}.`)
  return startDoubleProcess()
}

beforeAll(async () => {
  server = await startServer()
  database = await testPostgres()
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
  network = new SandboxServer({ fewPreKeys: true })
  await network.start()
  product = await productProcess(database.url, network.url, { leaseMs: 3000, env })
}, 60_000)
afterAll(async () => {
  await product.remove()
  await network.stop()
  await db.end()
  await server.stop()
  await database.drop()
})

/** True when it moved the log; false when it was killed. */
const runMove = async (destination: Destination, killAfterMs?: number): Promise<boolean> => {
  const program = await builtProgram(join(import.meta.dirname, '../src/move-log.ts'))
  const child = fork(program, [destination], {
    execArgv: [],
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, EVENTSTORE_URL: server.url },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text))
  const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [code, signal] = await once(child, 'close')
  clearTimeout(timer)
  if (signal === 'SIGKILL') return false
  if (code !== 0) throw new Error(printed)
  expect(printed).toMatch(/Both logs hold the same \d+ events in \d+ streams|The log is moved/)
  return true
}

/** The long form kills at every quarter of a second, for which a move of seconds is begun dozens of times. */
const laterKill = shortOrLong(
  (ms: number) => ms * 2.5,
  (ms: number) => ms + 250,
)

const moveUnderKills = async (destination: Destination): Promise<number> => {
  let kills = 0
  for (let ms = 300; !(await runMove(destination, ms)); ms = laterKill(ms)) kills++
  return kills
}

/** Text of a position in every column of the product's tables. */
const columnsWithPosition = async (pattern: string): Promise<string[]> => {
  const { rows } = await db.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type in ('text', 'json', 'jsonb')`,
  )
  const found: string[] = []
  for (const { table, column } of rows) {
    const { rows: hits } = await db.query(
      `select from ${pg.escapeIdentifier(table)} where ${pg.escapeIdentifier(column)}::text ~ $1 limit 1`,
      [pattern],
    )
    if (hits.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
const ofPostgres = '(^|\\D)0{6}\\d{13}(\\D|$)'
const ofEventStoreDb = '(^|\\D)0{6}\\d{14}(\\D|$)'

const restartOn = async (eventStoreUrl: string | undefined) => {
  if (eventStoreUrl) env.EVENTSTORE_URL = eventStoreUrl
  else delete env.EVENTSTORE_URL
  await product.start()
}

const differences = async (eventStoreUrl: string | undefined): Promise<string[]> => {
  const store = eventStoreUrl
    ? await eventStoreDbEventStore({ url: eventStoreUrl })
    : await postgresEventStore({ url: database.url })
  const { pool } = database
  const masterSecret = Buffer.from(product.secret, 'hex')
  const signal = AbortSignal.abort()
  const { personal } = await openPrivacy({
    pool,
    writePool: pool,
    databaseUrl: database.url,
    masterSecret,
    log: silentLog(),
    signal,
  })
  try {
    return await readModelsAgainstLog({ store, codec: eventCodec({ personal }) }, pool)
  } finally {
    await store.close()
  }
}

it('knows every table that holds positions and is no read model', async () => {
  const { rows } = await db.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = current_schema() and column_name = 'position'
       and table_name not in (select unnest(array[t, rtrim(t, 's')]) from (select replace(name, '-', '_') t from read_model) m)`,
  )
  expect(rows.map(({ table }) => table).toSorted()).toEqual(positionTables.toSorted())
  const migrated = await db.query<{ package: string }>(
    `select distinct split_part(name, '/', 1) as package from migration`,
  )
  expect(migrated.rows.map((row) => row.package).toSorted()).toEqual(migrationSets.map((set) => set.package).toSorted())
})

it('moves to the other log and back, killed on the way, while a busy shop is cut off in the middle of its work: nothing is lost or doubled, and who was erased stays erased', async () => {
  const attendant = await new Visitor(product.url).register()
  const shop = network.addPhone(shopNumber, 'Padaria Sol')
  const people = Array.from({ length: 4 }, (_, index) =>
    network.addPhone(`55119880000${10 + index}`, `Pessoa ${index}`),
  )
  const { id } = await attendant.link(shop)
  const ana = network.addPhone('5511977001122', 'Ana')
  await ana.sendText(shopNumber, secretOfAna)
  const contact = await until<Contact | undefined>(async () =>
    (await attendant.contacts('waiting')).find(({ phone }) => phone === '5511977001122'),
  )
  expect((await attendant.ask('DELETE', `/api/whatsapp/contacts/${contact.id}`)).status).toBeLessThan(300)

  const day = busyShop(shopNumber, id, attendant, people)
  await until(() => day.answeredSince(0), 60_000)
  await expect(runMove('eventstoredb')).rejects.toThrow('Prosa is running on this database: stop all its processes')

  const moves: [Destination, string | undefined, string][] = [
    ['eventstoredb', server.url, ofPostgres],
    ['postgres', undefined, ofEventStoreDb],
  ]
  for (const [destination, url, former] of moves) {
    await delay(1000)
    await product.kill()
    const sessions = `select from pg_stat_activity where datname = current_database() and application_name like 'prosa%'`
    await until(async () => (await db.query(sessions)).rowCount === 0, 30_000)
    expect(await moveUnderKills(destination)).toBeGreaterThan(0)
    await expect(restartOn(url === undefined ? server.url : undefined)).rejects.toThrow('the product did not start')
    await restartOn(url)
    const restarted = performance.now()
    await until(() => day.answeredSince(restarted), 60_000)
    const reply = await attendant.ask<Contact[]>('GET', `/api/whatsapp/contacts?status=waiting`)
    expect(JSON.stringify(reply.body)).not.toMatch('5511977001122')
    await until(async () => (await columnsWithPosition(former)).length === 0, 60_000).catch(async () =>
      expect(await columnsWithPosition(former)).toEqual([]),
    )
  }

  const { written, answered, pictures, ...strays } = await day.close(60_000)
  expect(strays).toEqual({
    lostInbound: [],
    doubledInbound: [],
    lostOutbound: [],
    doubledOutbound: [],
    spoiledPictures: [],
  })
  expect([answered, pictures > 0]).toEqual([written, true])
  expect(await differences(undefined)).toEqual([])
  const texts = await db.query(`select from es.event where data::text like '%amendoim%'`)
  expect(texts.rowCount).toBe(0)
  const keys = await db.query(`select from subject_key where subject like $1 and wrapped is not null`, [
    `%${contact.id}`,
  ])
  expect(keys.rowCount).toBe(0)
}, 300_000)
