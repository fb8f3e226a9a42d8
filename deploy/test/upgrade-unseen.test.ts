import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { notBuiltYetHeader } from '@prosa/contracts/http/problem'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { type Host, host } from '@prosa/kernel/host'
import { createLog } from '@prosa/kernel/observability/log'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { readConfig } from '@prosa/product/process/config'
import { type OpenPorts, openPorts } from '@prosa/product/process/open-ports'
import { readModels } from '@prosa/projections/projections'
import { readSide } from '@prosa/projections/read-side'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allServices } from '../src/all-services.ts'
import { restoreDatabase } from './database-dump.ts'
import { differences, isDeclared } from './releases/differences.ts'
import { type Answers, askEach, askEveryGet, endpointAt, everyPath, type Known } from './releases/every-get.ts'
import { type ReleaseDump, readRelease, releaseNames, unpackFiles } from './releases/release-dump.ts'
import { Visitor } from './visitor.ts'

/** Nothing listens there, as when the release recorded its answers. */
const noWhatsApp = 'ws://127.0.0.1:9/ws/chat'

const releases = await releaseNames()

it('has dumps of earlier releases', () => expect(releases.length).toBeGreaterThan(1))

/** Simulates a process of the earlier release that holds the leases of these read models. */
const holdProjections = async (url: string): Promise<() => Promise<void>> => {
  const letGo = new AbortController()
  const held = readModels.map(({ name }) => {
    let done: Promise<void> = Promise.resolve()
    const taken = new Promise<void>((resolve, reject) => {
      const work = async (signal: AbortSignal) => {
        resolve()
        await new Promise((over) => signal.addEventListener('abort', over, { once: true }))
      }
      done = exclusively(url, `projection ${name}`, letGo.signal, work, { onTrouble: reject })
    })
    return { taken, done }
  })
  await Promise.all(held.map(({ taken }) => taken))
  return async () => {
    letGo.abort()
    await Promise.all(held.map(({ done }) => done))
  }
}

interface LogLine {
  level: number
  msg: string
  projection?: string
}

describe.each(releases)('today’s product on the data of the release of %s', (name) => {
  let release: ReleaseDump
  let database: TestPostgres
  let files: string
  let ports: OpenPorts
  let running: Host
  let letGo: (() => Promise<void>) | undefined
  const lines: LogLine[] = []
  const visitors = new Map<string, Visitor>()
  const paths = new Map<string, string[]>()
  const held = new Map<string, Answers>()
  const built = new Map<string, Answers>()
  let pushes = 0

  const each = async (into: Map<string, Answers>) => {
    for (const [who, visitor] of visitors) into.set(who, await askEach(visitor, paths.get(who) ?? []))
  }

  beforeAll(async () => {
    release = await readRelease(name)
    database = await testPostgres()
    await restoreDatabase(database.pool, release.dump)
    files = await mkdtemp(join(tmpdir(), 'prosa-upgrade-'))
    await unpackFiles(release.files, files)
    letGo = await holdProjections(database.url)
    await startToday()
    await signIn()
    await each(held)
    const socket = visitors.get('padaria')?.socket()
    socket?.onAny(() => pushes++)
    await until(() => socket?.connected)
    const pushesBefore = pushes
    await letGo()
    letGo = undefined
    await until(isBuilt, 60_000)
    await each(built)
    const [contact] = (await visitors.get('padaria')?.contacts('waiting')) ?? []
    await visitors.get('padaria')?.post(`/api/whatsapp/contacts/${contact?.id}/notes`, { text: 'depois' })
    const accept = { status: 'attending' }
    await visitors.get('padaria')?.ask('PATCH', `/api/whatsapp/contacts/${contact?.id}/status`, accept)
    await until(() => pushes > pushesBefore)
    socket?.close()
  }, 180_000)
  afterAll(async () => {
    await letGo?.()
    await running?.stop()
    await ports?.close()
    database?.expectParkedTenants('chat-messages')
    await database?.drop()
    await rm(files, { recursive: true, force: true })
  })

  const startToday = async () => {
    const log = createLog(
      'info',
      new Writable({
        write(chunk, _, done) {
          for (const line of String(chunk).split('\n')) if (line) lines.push(JSON.parse(line))
          done()
        },
      }),
    )
    const { admin, analyst } = release.people
    const environment = {
      PROSA_PORT: '0',
      PROSA_ADMIN_EMAILS: admin?.email,
      PROSA_ANALYST_EMAILS: analyst?.email,
      PROSA_KIWIFY_APPROVED_TOKENS: 'approved',
      PROSA_KIWIFY_REFUNDED_TOKENS: 'refunded',
    }
    const config = { ...readConfig('development', environment), webSocketUrl: noWhatsApp }
    const services = allServices(config)
    const began = Date.now()
    ports = await openPorts({
      databaseUrl: database.url,
      masterSecret: Buffer.from(release.secret, 'hex'),
      log,
      readSide,
      services,
      files: diskFileStore(files),
      budgets: { ...defaultBudgets },
      // Timers due after the dump would change what is shown.
      clock: { now: () => new Date(Date.parse(release.takenAt) + Date.now() - began).toISOString() },
    })
    running = await host(services, ports, { ...config, limitScale: 1000 })
  }

  const signIn = async () => {
    const users = Object.values(release.answers).map((answers) => answers['/api/auth/user']?.body as { id: string })
    const known: Known = { ...release.known, '/api/admin/users': users.map(({ id }) => id) }
    for (const [who, credentials] of Object.entries(release.people)) {
      const entering = new Visitor(running.url)
      await entering.post('/api/auth/login', credentials)
      // Without the position of the sign-in, for which reads would wait.
      visitors.set(who, Object.assign(new Visitor(running.url), { cookie: entering.cookie }))
      paths.set(who, everyPath(release.answers[who] ?? {}, known))
    }
    visitors.set('visitor', new Visitor(running.url))
    paths.set('visitor', everyPath(release.answers.padaria ?? {}, known))
  }

  const isBuilt = async () => {
    const { rows } = await database.pool.query<{ name: string; version: number }>(
      'select name, version from checkpoint',
    )
    const versions = new Map(rows.map((row) => [row.name, row.version]))
    return (
      rows.every((row) => !row.name.endsWith('(rebuild)')) &&
      readModels.every((readModel) => versions.get(readModel.name) === readModel.version) &&
      (await Promise.all([...visitors.values()].map((visitor) => visitor.ask('GET', '/api/auth/user')))).every(
        ({ headers }) => !headers.has(notBuiltYetHeader),
      )
    )
  }

  const inBoth = [
    ['while nothing is built anew', held],
    ['once everything is', built],
  ] as const
  it.each(inBoth)('answers no GET of anybody with a fault of its own %s', (_, answers) => {
    const faults = [...answers].flatMap(([who, found]) =>
      Object.entries(found).flatMap(([path, { status }]) => (status >= 500 ? [[who, path, status]] : [])),
    )
    expect(faults).toEqual([])
    expect(Object.keys(answers.get('padaria') ?? {}).length).toBeGreaterThan(60)
  })

  it.each(inBoth)('keeps to its contracts %s', (_, answers) => {
    const broken = [...answers].flatMap(([who, found]) =>
      Object.entries(found).flatMap(([path, { status, body }]) => {
        const contract = endpointAt(path).replies[200]
        if (status !== 200 || !contract) return []
        const { success, error } = contract.safeParse(body)
        return success ? [] : [[who, path, error.message]]
      }),
    )
    expect(broken).toEqual([])
  })

  it('shows nothing false while nothing is built anew: what differs later was declared as not known yet', () => {
    expect(changes(name, held, built, true).filter(({ declared }) => !declared)).toEqual([])
  })

  it('shows the ids, counts and texts of before once everything is built anew', () => {
    const before = new Map(Object.entries(release.answers))
    expect(changes(name, before, built, false)).toEqual([])
  })

  it('has the messages of a tenant that was parked in it, once they are built anew', () => {
    const ofGarage = Object.entries(built.get('oficina') ?? {}).find(([path]) =>
      /contacts\/[^/]+\/messages$/.test(path),
    )
    const contents = ((ofGarage?.[1].body ?? []) as { content: string }[]).map(({ content }) => content)
    expect(contents).toEqual(['O carro está pronto?', 'veneno', 'depois'])
  })

  it('answers every GET with what is there by then', async () => {
    for (const visitor of visitors.values()) {
      const faults = Object.entries(await askEveryGet(visitor)).filter(([, { status }]) => status >= 500)
      expect(faults).toEqual([])
    }
  })

  it('is interrupted nowhere, parks nobody and logs no error', async () => {
    const isTrouble = ({ level, msg, projection }: LogLine) =>
      level >= 50 || (level >= 40 && projection !== undefined) || /parked/.test(msg)
    const troubles = lines.filter(isTrouble)
    expect(troubles).toEqual([])
  })
})

/** Values that change without an event: times, and a link that is encrypted anew. */
const passing = /\.(serverTime|correlationId|purchaseUrl)$/
/** Progress of rebuilds, a timeline that grows with each read and start, and refusals that these very requests meet. */
const isMoving = (path: string) => /^\/api\/admin\/(read-models|history|refused-requests)/.test(path)

/**
 * Intended differences. A column that changes its meaning now gets a new name (decision 0009), so add only what a release before the latest
 * did.
 */
const otherRules: Record<string, RegExp> = {
  // Waiting counted from receipt; now from the time of writing, at the latest from receipt.
  '2026-11-22': /\.waitingSince$/,
  // After end and grace the free plan applies (decision 0030), not the end of access. Samples are no projects (0057).
  '2026-11-23': /^\.body\.(access|projects)$/,
}

/** An analyst sees data and the own account only (decision 0079). */
const isClosedToAnalysts = (who: string, path: string) => {
  const { open, key, role, alsoForAnalysts } = endpointAt(path)
  return who === 'analyst' && !open && key === undefined && role !== 'analyst' && !alsoForAnalysts
}

/** That release parked this tenant because of refused rows; the rebuilt chat-messages accepts them. */
const isOfParkedTenant = (who: string, path: string) =>
  who === 'oficina' ? /messages$/.test(path) : who === 'admin' && /^\/api\/admin\/(messages|parked-work)$/.test(path)

const changes = (
  name: string,
  before: ReadonlyMap<string, Answers>,
  after: ReadonlyMap<string, Answers>,
  isWhole: boolean,
) =>
  [...before].flatMap(([who, answers]) =>
    Object.entries(answers).flatMap(([path, answer]) => {
      const later = after.get(who)?.[path]
      if (!isWhole && answer.status !== 200) return []
      if (isOfParkedTenant(who, path) || isClosedToAnalysts(who, path)) return []
      return differences(
        { status: answer.status, body: answer.body },
        { status: later?.status, body: later?.body },
        isWhole,
      )
        .filter(({ at }) => !passing.test(at) && !isMoving(path) && !otherRules[name]?.test(at))
        .map((difference) => ({
          who,
          path,
          ...difference,
          declared: isDeclared(endpointAt(path), difference, answer.notBuiltYet !== undefined),
        }))
    }),
  )
