import { clearTimeout as clearRealTimeout, setTimeout as setRealTimeout } from 'node:timers'
import { setTimeout as realDelay } from 'node:timers/promises'
import { allLocks, announceLocks, renounceLocks } from '@prosa/kernel/postgres/queries'
import pg from 'pg'
import { type SimulatedProcess, theWorld } from './world.ts'

export type Query = (pg.QueryConfig & { query_timeout?: number }) | pg.Submittable

export type Outcome = { result: pg.QueryResult } | { error: unknown }

export interface Client {
  readonly process: SimulatedProcess | undefined
  readonly applicationName: string | undefined
  readonly channels: Set<string>
  isLost: boolean
  notify(channel: string, payload: string): void
  lose(): Promise<void>
}

interface Session {
  real: pg.Client
  pid: number
}

interface Blocked {
  client: Client
  session: Session
  isOver: () => boolean
  settle: () => Promise<void>
}

type Done = (outcome: Outcome) => unknown

/** All sessions listen from the start: LISTEN within a transaction would wait for its commit. */
const channels = [
  'es_event',
  'prosa_checkpoint',
  'prosa_position_wanted',
  'prosa_timer',
  'prosa_session_revoked',
  'prosa_subject_erased',
  'prosa_topics',
]

const resultOf = (...rows: Record<string, unknown>[]): Outcome => ({
  result: { rows, rowCount: rows.length, command: 'SELECT', oid: 0, fields: [] },
})

const textOf = (query: Query): string => ('text' in query && typeof query.text === 'string' ? query.text : 'copy')

const soonOver = (running: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const late = setRealTimeout(resolve, ms)
    const end = () => {
      clearRealTimeout(late)
      resolve()
    }
    running.then(end, end)
  })

/**
 * Runs one statement at a time on the real server, in the seed's order; one that waits for a lock is set aside until the lock is free.
 * Advisory session locks are kept here, as server connections serve many clients.
 */
export class Database {
  readonly url: string
  readonly clients = new Set<Client>()
  readonly #free: Session[] = []
  readonly #all: Session[] = []
  readonly #transactions = new Map<Client, Session>()
  readonly #blocked = new Set<Blocked>()
  readonly #locks = new Map<string, Client>()
  /** Locks that each client has shared, and its number as a session's process id. */
  readonly #shared = new Map<Client, { pid: number; locks: Set<string> }>()
  #sessions = 0
  readonly #names = new Map<string, string>()
  readonly #received: { channel: string; payload: string }[] = []
  #watcher: pg.Client | undefined
  statements = 0

  constructor(url: string) {
    this.url = url
  }

  /** For the simulation's own queries. */
  async ask<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.#watcher) {
      this.#watcher = new pg.Client({ connectionString: this.url })
      await this.#watcher.connect()
    }
    return (await this.#watcher.query<Row>(text, values)).rows
  }

  async execute(client: Client, query: Query, done: Done): Promise<void> {
    const text = textOf(query)
    const world = theWorld()
    const values = 'values' in query ? query.values : undefined
    world.note(`${client.process?.name} ${text.slice(0, 60)}`, world.trace ? String(values).slice(0, 200) : '')
    const own = await this.#answerItself(client, text, values)
    if (own) return void (await done(own))
    const session = this.#transactions.get(client) ?? (await this.#take())
    if (/^\s*begin/i.test(text)) this.#transactions.set(client, session)
    this.statements++
    let outcome: Outcome | undefined
    const running = this.#query(session, query).then((found) => {
      outcome = found
    })
    const settle = async () => {
      const isEnding = /^\s*(commit|rollback)\b/i.test(text)
      if (isEnding) this.#transactions.delete(client)
      const isFreed = this.#transactions.get(client) !== session
      if (isFreed) this.#free.push(session)
      this.#wake()
      if (outcome) await done(outcome)
      if (isFreed) await this.#settleBlocked()
    }
    if (await this.#isBlocked(session, running, () => outcome !== undefined))
      this.#blocked.add({ client, session, isOver: () => outcome !== undefined, settle })
    else await settle()
  }

  /** Rolls back and frees locks. */
  async disconnect(client: Client): Promise<void> {
    this.clients.delete(client)
    for (const [name, holder] of this.#locks) if (holder === client) this.#locks.delete(name)
    this.#shared.delete(client)
    const blocked = [...this.#blocked].find((each) => each.client === client)
    if (blocked) {
      this.#blocked.delete(blocked)
      await this.ask('select pg_cancel_backend($1)', [blocked.session.pid])
      while (!blocked.isOver()) await realDelay(1)
      this.#free.push(blocked.session)
    }
    const session = this.#transactions.get(client)
    if (!session) return
    this.#transactions.delete(client)
    await this.#query(session, { text: 'rollback' })
    if (!this.#free.includes(session)) this.#free.push(session)
    await this.#settleBlocked()
  }

  async clear(): Promise<void> {
    for (const client of [...this.clients]) {
      client.isLost = true
      await this.disconnect(client)
    }
    this.#received.length = 0
    this.#locks.clear()
    this.#shared.clear()
    this.#sessions = 0
    // So the next run uses connections in the same order and draws the same `random()`.
    this.#free.length = 0
    for (const { real } of this.#all.splice(0)) await real.end()
  }

  async close(): Promise<void> {
    await this.clear()
    await this.#watcher?.end()
  }

  async #answerItself(client: Client, text: string, values: unknown[] | undefined): Promise<Outcome | undefined> {
    if (text === 'select 1') return resultOf({ '?column?': 1 })
    if (text.startsWith("select set_config('idle_session_timeout'")) return resultOf({})
    return this.#answerLocks(client, text, values) ?? this.#answerListen(client, text)
  }

  #answerLocks(client: Client, text: string, values: unknown[] | undefined): Outcome | undefined {
    if (text === 'select pg_try_advisory_lock($1) as taken') {
      const name = String(values?.[0])
      const taken = (this.#locks.get(name) ?? client) === client
      if (taken) this.#locks.set(name, client)
      return resultOf({ taken })
    }
    if (text === 'select pg_advisory_unlock($1)') {
      if (this.#locks.get(String(values?.[0])) === client) this.#locks.delete(String(values?.[0]))
      return resultOf({})
    }
    const wanted = (values?.[0] ?? []) as string[]
    if (text === announceLocks) for (const lock of wanted) this.#sharedBy(client).locks.add(lock)
    else if (text === renounceLocks) for (const lock of wanted) this.#sharedBy(client).locks.delete(lock)
    else return text === allLocks ? resultOf(...this.#allLocks(client)) : undefined
    return resultOf()
  }

  #sharedBy(client: Client): { pid: number; locks: Set<string> } {
    const known = this.#shared.get(client) ?? { pid: ++this.#sessions, locks: new Set() }
    this.#shared.set(client, known)
    return known
  }

  #allLocks(client: Client): Record<string, unknown>[] {
    const row = (holder: Client, number: string) => ({
      pid: this.#sharedBy(holder).pid,
      isMine: holder === client,
      number,
    })
    return [
      ...[...this.#shared].flatMap(([holder, { locks }]) => [...locks].map((lock) => row(holder, lock))),
      ...[...this.#locks].map(([lock, holder]) => row(holder, lock)),
    ]
  }

  #answerListen(client: Client, text: string): Outcome | undefined {
    if (!text.startsWith('listen ')) return undefined
    for (const statement of text.split(';')) {
      const channel = statement.slice('listen '.length).replaceAll('"', '')
      client.channels.add(channel)
      if (!channels.includes(channel)) throw new Error(`nobody hears ${channel} here`)
    }
    return resultOf({})
  }

  async #take(): Promise<Session> {
    const free = this.#free.pop()
    if (free) return free
    const real = new pg.Client({ connectionString: this.url, application_name: 'simulation' })
    real.on('error', () => undefined)
    await real.connect()
    await real.query(
      'select setseed(0.5); set synchronous_commit = off; set plan_cache_mode = force_generic_plan; set jit = off',
    )
    await real.query(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join(';'))
    const { rows } = await real.query<{ pid: number }>('select pg_backend_pid() as pid')
    const session = { real, pid: rows[0]?.pid ?? 0 }
    // Own notifications come before the answer, others' at any time.
    real.on('notification', ({ processId, channel, payload = '' }) => {
      if (processId === session.pid) this.#received.push({ channel, payload })
    })
    this.#all.push(session)
    return session
  }

  async #query({ real }: Session, query: Query): Promise<Outcome> {
    try {
      if ('submit' in query)
        return await new Promise((resolve, reject) => {
          const answer = (error: unknown, result: pg.QueryResult) => (error ? reject(error) : resolve({ result }))
          real.query(Object.assign(query, { callback: answer }))
        })
      const { query_timeout: _, ...config } = query
      return { result: await real.query({ ...config, ...this.#prepared(config) }) }
    } catch (error) {
      return { error }
    }
  }

  /** Plans each statement once per session, whatever was asked before. */
  #prepared({ name, text, values }: pg.QueryConfig): { name?: string } {
    if (name !== undefined || !values?.length) return {}
    const known = this.#names.get(text) ?? `simulated ${this.#names.size}`
    this.#names.set(text, known)
    return { name: known }
  }

  /** True once the server reports that it waits for a lock; false once it ended. */
  async #isBlocked(session: Session, running: Promise<unknown>, isOver: () => boolean): Promise<boolean> {
    await soonOver(running, 5)
    while (!isOver()) {
      const text = 'select cardinality(pg_blocking_pids($1)) as blockers'
      const [found] = await this.ask<{ blockers: number }>(text, [session.pid])
      if (!isOver() && found && found.blockers > 0) return true
      await soonOver(running, 2)
    }
    return false
  }

  async #settleBlocked(): Promise<void> {
    for (const each of [...this.#blocked]) {
      if (!this.#blocked.has(each)) continue
      if (await this.#isBlocked(each.session, Promise.resolve(), each.isOver)) continue
      this.#blocked.delete(each)
      await each.settle()
    }
  }

  #wake(): void {
    for (const { channel, payload } of this.#received.splice(0))
      for (const client of this.clients) if (client.channels.has(channel)) client.notify(channel, payload)
  }
}

let current: Database | undefined

export const useDatabase = (database: Database): void => {
  current = database
}

export const theDatabase = (): Database => {
  if (!current) throw new Error('no database is in use')
  return current
}
