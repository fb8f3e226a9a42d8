import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { type Host, host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { MigrationFailed, migrate, sqlMigration } from '@prosa/kernel/postgres/migrations'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { explain } from '@prosa/kernel/process/explain'
import { migrationsOf } from '@prosa/kernel/process/open-ports'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { readConfig } from '@prosa/product/process/config'
import { type OpenPorts, openPorts } from '@prosa/product/process/open-ports'
import { readModels } from '@prosa/projections/projections'
import { readSide } from '@prosa/projections/read-side'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allServices } from '../src/all-services.ts'
import { dumpDatabase, restoreDatabase } from './database-dump.ts'
import { dumpOf } from './traces.ts'
import { Visitor } from './visitor.ts'

/** Contents of `before-16`; see `fixtures/README.md`. */
const fixtureSchema = z.object({
  secret: z.string(),
  takenAt: z.iso.datetime(),
  people: z.record(z.string(), z.object({ email: z.string(), password: z.string() })),
  connectionId: z.string(),
  contactId: z.string(),
  dump: z.object({
    before: z.array(z.string()),
    rows: z.array(z.object({ table: z.string(), records: z.array(z.string()) })),
    after: z.array(z.string()),
  }),
  answers: z.record(z.string(), z.record(z.string(), z.object({ status: z.number(), body: z.unknown() }))),
})
const packed = readFileSync(join(import.meta.dirname, 'fixtures/before-16.json.gz'))
const fixture = fixtureSchema.parse(JSON.parse(gunzipSync(packed).toString()))
const secret = Buffer.from(fixture.secret, 'hex')
/** Rebuilds happen beside the shown tables. */
const comingAndGoing = ['rebuild']

const migrations = migrationsOf(allServices(readConfig('development', {})), true)

/** Nothing listens there, as when the answers were recorded. */
const noWhatsApp = 'ws://127.0.0.1:9/ws/chat'
const beganAt = Date.now()
const clock = { now: () => new Date(Date.parse(fixture.takenAt) + Date.now() - beganAt).toISOString() }

/** A trigger of the fixture kept one message out of `chat-messages` and parked its tenant; the new version folds into another table. */
const foldedAnew: Record<string, unknown> = {
  '/api/whatsapp/contacts/a773b789-92fc-5e7e-8110-011458fff26e/messages': [
    {},
    { content: 'veneno' },
    { content: 'depois' },
  ],
  '/api/admin/parked-work': [],
}

describe('a database that the version before migrations has filled', () => {
  let database: TestPostgres
  let ports: OpenPorts
  let running: Host
  let before: Map<string, string>
  let linesBefore: string
  const visitors = new Map<string, Visitor>()

  beforeAll(async () => {
    database = await testPostgres()
    database.expectParkedTenants('chat-messages')
    await restoreDatabase(database.pool, fixture.dump)
    before = await dumpOf(database.pool)
    linesBefore = await outboxOf(database)
    const environment = { PROSA_PORT: '0', PROSA_ADMIN_EMAILS: fixture.people.admin?.email }
    const config = { ...readConfig('development', environment), webSocketUrl: noWhatsApp }
    const services = allServices(config)
    const opened = await openPorts({
      databaseUrl: database.url,
      masterSecret: secret,
      log: silentLog(),
      readSide,
      services,
    })
    ports = { ...opened, clock }
    running = await host(services, ports, { ...config, limitScale: 1000 })
    for (const [name, person] of Object.entries(fixture.people)) {
      const visitor = new Visitor(running.url)
      await visitor.post('/api/auth/login', person)
      visitors.set(name, visitor)
    }
  }, 120_000)
  afterAll(async () => {
    await running?.stop()
    await ports?.close()
    await database?.drop()
  })

  const visitorNamed = (name: string): Visitor => {
    const visitor = visitors.get(name)
    if (!visitor) throw new Error(`nobody is called ${name}`)
    return visitor
  }

  it('has every migration on record, and every event as it was', async () => {
    const { rows } = await database.pool.query<{ name: string }>('select name from migration order by id')
    const all = migrations.flatMap((set) => set.migrations.map(({ name }) => `${set.package}/${name}`))
    expect(rows.map(({ name }) => name)).toEqual(all)
    // New events of reactors, such as samples of flows, may be between them.
    const events = new Set((await dumpOf(database.pool, comingAndGoing)).get('es.event')?.split('\n'))
    const stored = before.get('es.event') ?? ''
    expect(stored.length).toBeGreaterThan(100_000)
    expect(stored.split('\n').filter((event) => !events.has(event))).toEqual([])
  })

  it.each(
    Object.entries(fixture.answers).flatMap(([name, answers]) => Object.keys(answers).map((path) => [name, path])),
  )('shows %s what it showed before: %s', async (name, path) => {
    if (path in foldedAnew) return
    const { status, body } = await visitorNamed(name).ask('GET', path)
    expect({ status, body: withoutTime(body) }).toMatchObject(withoutTime(fixture.answers[name]?.[path]) as object)
  })

  it('shows what an earlier version of a read model could not fold, and has nothing parked for it any more', async () => {
    // Two rebuilds at a time.
    await until(async () => {
      const { rowCount } = await database.pool.query(
        "select from checkpoint where name = 'chat-messages' and version = $1",
        [readModels.find(({ name }) => name === 'chat-messages')?.version],
      )
      return rowCount === 1
    })
    for (const [path, expected] of Object.entries(foldedAnew)) {
      const [name] = Object.entries(fixture.answers).find(([, answers]) => path in answers) ?? []
      const { status, body } = await visitorNamed(name ?? '').ask('GET', path)
      expect({ status, body }).toMatchObject({ status: 200, body: expected })
    }
    const { rows } = await database.pool.query(
      "select worker from parked_event where worker <> 'projection chat-messages'",
    )
    expect(before.get('public.parked_event')?.split('\n')).toHaveLength(2 + rows.length)
  })

  it('keeps timers, snapshots and keys', async () => {
    const after = await dumpOf(database.pool, comingAndGoing)
    for (const table of ['timer', 'stream_snapshot', 'stream_entry', 'whatsapp_key', 'subject_key']) {
      const kept = before.get(`public.${table}`)?.replaceAll('(end-trial,', '(end-access,')
      expect([table, kept === '']).toEqual([table, false])
      expect([table, after.get(`public.${table}`)]).toEqual([table, kept])
    }
  })

  it('keeps what waits in line for a connection that is away', async () => {
    expect(linesBefore).toContain('waiting')
    expect(await outboxOf(database)).toEqual(linesBefore)
  })

  it('takes commands as ever: their events follow the earlier ones of their streams', async () => {
    const attendant = visitorNamed('padaria')
    const { contactId, connectionId } = fixture
    const head = await lastPosition(database)
    await attendant.post(`/api/whatsapp/contacts/${contactId}/notes`, { text: 'voltou depois da atualização' })
    await attendant.send(connectionId, contactId, 'Ainda estamos aqui')
    const notes = await attendant.get<{ text: string }[]>(`/api/whatsapp/contacts/${contactId}/notes`)
    expect(notes.map((note) => note.text)).toEqual(['voltou depois da atualização', 'prefere pão quente'])
    const latest = async () => (await attendant.messages(contactId)).at(-1)?.content
    await until(async () => (await latest()) === 'Ainda estamos aqui')
    const { rows } = await database.pool.query<{ stream: string; isNext: boolean }>(
      `select stream, revision = (select count(*) from es.event o where o.stream = e.stream and o.position < e.position) as "isNext"
       from es.event e where position > $1`,
      [head],
    )
    expect(rows.map(({ stream }) => stream)).toEqual(
      expect.arrayContaining([`chat-${contactId}`, `contact-${contactId}`]),
    )
    expect(rows.filter(({ isNext }) => !isNext)).toEqual([])
  })
})

const lastPosition = async ({ pool }: TestPostgres): Promise<string> =>
  (await pool.query<{ head: string }>('select max(position) as head from es.event')).rows[0]?.head ?? '0'

/** Without texts, which are redacted two weeks after sending. */
const outboxOf = async ({ pool }: TestPostgres): Promise<string> => {
  const { rows } = await pool.query('select message_id, contact_id, state, position from outbox order by message_id')
  return JSON.stringify(rows)
}

const withoutTime = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => (key === 'serverTime' || key === 'correlationId' ? 'now' : value))

describe('a database of the version before', () => {
  let database: TestPostgres
  beforeEach(async () => {
    database = await testPostgres()
    database.expectParkedTenants('chat-messages')
    await restoreDatabase(database.pool, fixture.dump)
  })
  afterEach(() => database.drop())

  it('has the same tables, indexes and functions as a new one, once it is upgraded', async () => {
    await migrate(database.url, migrations)
    const fresh = await testPostgres()
    await migrate(fresh.url, migrations)
    const made = await dumpDatabase(fresh.pool)
    const upgraded = await dumpDatabase(database.pool)
    await fresh.drop()
    expect(upgraded.before).toEqual(expect.arrayContaining(made.before))
    expect(upgraded.after.filter((statement) => !statement.includes('setval'))).toEqual(
      expect.arrayContaining(made.after.filter((statement) => !statement.includes('setval'))),
    )
  })

  it('is as it was when a migration fails half-way', async () => {
    const before = await dumpDatabase(database.pool)
    const [log, kernel, ...others] = migrations
    if (!log || !kernel) throw new Error('the product has a log and a kernel')
    const failing = sqlMigration(
      '9999_fails',
      `alter table timer drop column payload; delete from es.event; drop table outbox; select 1 / 0`,
    )
    const sets = [log, ...others, { ...kernel, migrations: [...kernel.migrations, failing] }]
    const failed = await migrate(database.url, sets).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(MigrationFailed)
    expect(explain(failed)).toMatch(
      /^The migration kernel\/9999_fails failed; the database is as it was\.\n.*division by zero/s,
    )
    expect(await dumpDatabase(database.pool)).toEqual(before)
  })

  it('is upgraded once when several processes start at the same moment', async () => {
    const program = await builtProgram(join(import.meta.dirname, 'migrating-process.ts'))
    const processes = [1, 2, 3].map(() => spawn(process.execPath, [program, database.url], { stdio: 'inherit' }))
    const codes = await Promise.all(processes.map(async (each) => (await once(each, 'exit'))[0]))
    expect(codes).toEqual([0, 0, 0])
    const { rows } = await database.pool.query<{ name: string; batch: number }>('select name, batch from migration')
    expect(rows).toHaveLength(migrations.flatMap((set) => set.migrations).length)
    expect(new Set(rows.map(({ batch }) => batch))).toEqual(new Set([1]))
  }, 60_000)

  const startProduction = async () => {
    const program = await builtProgram(join(import.meta.dirname, '../src/all-in-one.ts'))
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        PROSA_PORT: '0',
        PROSA_SECRET: fixture.secret,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [written, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { written: written.trim(), code }
  }

  it('that a later version has changed stops the start with one sentence, and is left alone', async () => {
    await migrate(database.url, migrations)
    await database.pool.query(
      `insert into migration (name, batch, migration_time) values ('sessions/0999_later', 9, now())`,
    )
    const before = await dumpOf(database.pool)
    const { written, code } = await startProduction()
    expect(written).toMatch(
      /^This database belongs to a newer version of Prosa \(its migration sessions\/0999_later .*\.$/,
    )
    expect(code).toBe(1)
    expect(await dumpOf(database.pool)).toEqual(before)
  }, 60_000)
})

it('numbers the migrations of each package without a gap', () => {
  for (const set of migrations)
    expect(set.migrations.map(({ name }) => name.slice(0, 5))).toEqual(
      set.migrations.map((_, index) => `${String(index + 1).padStart(4, '0')}_`),
    )
})
