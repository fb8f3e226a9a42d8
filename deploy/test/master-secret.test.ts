import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { silentLog } from '@prosa/kernel/observability/log'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { explain } from '@prosa/kernel/process/explain'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { readConfig } from '@prosa/product/process/config'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allServices } from '../src/all-services.ts'
import { masterSecret } from '../src/master-secret.ts'
import { dumpOf } from './traces.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await testPostgres()
})
afterAll(() => database.drop())

const emptyFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-secret-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** All tables exist, so that changes by a later start are detected. */
const services = allServices(readConfig('development', {}))

const openWith = (masterSecret: Uint8Array, earlierSecrets: readonly string[] = []) =>
  openPorts({ databaseUrl: database.url, masterSecret, log: silentLog(), readSide, services, earlierSecrets })

const hex = () => randomBytes(32).toString('hex')

const startProduction = async (variables: Record<string, string>) => {
  const child = spawn(process.execPath, [await builtProgram(join(import.meta.dirname, '../src/all-in-one.ts'))], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, PROSA_PORT: '0', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { printed: printed.trim(), code }
}

const sentence = /^The master secret does not open this database .*: set PROSA_SECRET, .* PROSA_OLD_SECRETS\.$/

describe('the master secret', () => {
  it('that does not fit stops the start with one sentence, changes nothing, and the right one opens everything again', async () => {
    const right = randomBytes(32)
    const first = await openWith(right)
    await first.secrets.put('test', 'here', 'segredo')
    await first.subjectKeys.toEncrypt(['user:ana'])
    await first.close()
    const before = await dumpOf(database.pool)

    const wrong = await startProduction({ PROSA_SECRET: hex() })
    expect(wrong.printed).toMatch(sentence)
    expect(wrong.code).toBe(1)
    expect(await dumpOf(database.pool)).toEqual(before)

    const again = await openWith(right)
    expect(await again.secrets.get('test', 'here')).toBe('segredo')
    await again.close()

    const [now, then] = [randomBytes(32), right.toString('hex')]
    await (await openWith(now, [then])).close()
    const changed = await openWith(now, [then])
    expect(await changed.secrets.get('test', 'here')).toBe('segredo')
    await changed.close()
  }, 60_000)

  it.each([
    ['is missing in production', {}, 'In production PROSA_SECRET must be set'],
    ['is no secret', { PROSA_SECRET: 'segredo' }, 'PROSA_SECRET: '],
    ['of before is no secret', { PROSA_SECRET: hex(), PROSA_OLD_SECRETS: `${hex()},segredo` }, 'PROSA_OLD_SECRETS: '],
  ])('that %s is reported by its name', (_, variables, printed) => {
    const failure = (() => {
      try {
        return readConfig('production', variables)
      } catch (error) {
        return explain(error)
      }
    })()
    expect(failure).toContain(printed)
    expect(failure).not.toContain('segredo')
  })

  it('that is made on the first start is there whole or not at all, though the process ends while it writes', async () => {
    const dataDir = await emptyFolder()
    const made = await builtProgram(join(import.meta.dirname, '../src/master-secret.ts'))
    const start = `import('${pathToFileURL(made)}').then(({ masterSecret }) => masterSecret(undefined, '${dataDir}'))`
    const first = spawn('sh', ['-c', 'ulimit -f 0; exec "$0" -e "$1"', process.execPath, start], { stdio: 'ignore' })
    expect((await once(first, 'exit'))[0]).not.toBe(0)
    const secret = await masterSecret(undefined, dataDir)
    expect(secret).toHaveLength(32)
    expect(await masterSecret(undefined, dataDir)).toEqual(secret)
  })

  it('is the same one for all who start for the first time at once, readable by its owner only, and nothing lies beside it', async () => {
    const dataDir = await emptyFolder()
    const [one, ...others] = await Promise.all(Array.from({ length: 8 }, () => masterSecret(undefined, dataDir)))
    expect(one).toHaveLength(32)
    for (const other of others) expect(other).toEqual(one)
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('may be followed by several earlier ones', () => {
    const [one, other] = [hex(), hex()]
    expect(readConfig('development', { PROSA_OLD_SECRETS: `${one} , ${other}` }).oldSecrets).toEqual([one, other])
    expect(readConfig('development', { PROSA_OLD_SECRETS: '' }).oldSecrets).toEqual([])
  })
})
