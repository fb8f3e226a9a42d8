/** `npm run release-dump -- <commit> <name>`: see `deploy/test/fixtures/README.md`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { dumpDatabase } from '../database-dump.ts'
import type { Visitor } from '../visitor.ts'
import { type Answers, askEveryGet } from './every-get.ts'
import { fillThePast, fillThePresent, kiwifyTokens, type People } from './fill-release.ts'
import { type Checkout, checkOut, type RunningRelease, startRelease } from './release.ts'
import { packFiles, type ReleaseDump, writeRelease } from './release-dump.ts'

const usage = 'npm run release-dump -- <commit> <name, e.g. 2026-11-23> [--checkout <folder with its packages>]'
/** Longer than a trial with its grace period. */
const agoMs = 14 * 86_400_000
const secret = '25'.repeat(32)
/** Nothing listens there: the release meets the same silence as the tests. */
const noWhatsApp = 'ws://127.0.0.1:9/ws/chat'

const root = join(import.meta.dirname, '../../..')

const dumpRelease = async (checkout: Checkout, folder: string): Promise<ReleaseDump> => {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false })
  const pool = openPool(server.url)
  const files = join(folder, 'files')
  const env: Record<string, string> = {
    DATABASE_URL: server.url,
    PROSA_DATA_DIR: join(folder, 'data'),
    PROSA_FILES_DIR: files,
    PROSA_SECRET: secret,
    PROSA_KIWIFY_APPROVED_TOKENS: kiwifyTokens.approved,
    PROSA_KIWIFY_REFUNDED_TOKENS: kiwifyTokens.refunded,
  }
  let running: RunningRelease | undefined
  const start = async (more: Record<string, string>, ago = 0) => {
    running = await startRelease(checkout, { ...env, ...more }, ago)
    return running
  }
  try {
    const past = await start({}, agoMs)
    const earlier = await fillThePast(past.url)
    await past.stop()
    env.PROSA_ADMIN_EMAILS = earlier.admin.email
    env.PROSA_ANALYST_EMAILS = earlier.analyst.email
    const present = await start({})
    const { people, known } = await fillThePresent(present.url, earlier, { pool, secret: Buffer.from(secret, 'hex') })
    await present.stop()
    // A second start shows how the release reads its own data.
    const again = await start({ WA_WEBSOCKET_URL: noWhatsApp })
    const answers = await answersOf(people, again.url, known)
    await again.stop()
    const dump = await dumpDatabase(pool)
    const accounts = Object.entries(people).map(([name, { email, password }]) => [name, { email, password }])
    return {
      commit: checkout.commit,
      secret,
      takenAt: new Date().toISOString(),
      people: Object.fromEntries(accounts),
      known,
      dump,
      files: await packFiles(files),
      answers,
    }
  } finally {
    await running?.stop()
    await pool.end()
    await server.stop()
  }
}

/** These change by themselves: lines reconnect, purchase links are encrypted anew. */
const isMoving = (path: string) => /connections|session|dashboard|kiwify-plans/.test(path)
const textOf = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => (/^(serverTime|correlationId)$/.test(key) ? undefined : value))

const answersOf = async (people: People, url: string, known: Record<string, string[]>) => {
  for (const person of Object.values<Visitor>({ ...people })) {
    person.url = url
    await person.post('/api/auth/login', { email: person.email, password: person.password })
  }
  let last: Answers = {}
  const settle = async () => {
    const found = await askEveryGet(people.padaria, known)
    const changed = Object.keys(found).filter((path) => !isMoving(path) && textOf(found[path]) !== textOf(last[path]))
    last = found
    if (changed.length > 0) process.stdout.write(`  still changing: ${changed.slice(0, 5).join(' ')}\n`)
    return changed.length === 0
  }
  await until(settle, 60_000)
  const answers: ReleaseDump['answers'] = {}
  for (const [name, person] of Object.entries(people)) answers[name] = await askEveryGet(person, known)
  return answers
}

const { values, positionals } = parseArgs({ options: { checkout: { type: 'string' } }, allowPositionals: true })
const [revision, name] = positionals
if (!revision || !name) throw new Error(usage)
const folder = await mkdtemp(join(tmpdir(), 'prosa-release-'))
try {
  const checkout = await checkOut(root, revision, values.checkout ?? join(folder, 'checkout'))
  const dump = await dumpRelease(checkout, folder)
  const path = await writeRelease(name, dump)
  process.stdout.write(`${path}\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
