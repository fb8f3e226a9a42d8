import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPool } from '@prosa/kernel/postgres/pool'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import pg, { type Pool } from 'pg'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'prosa-embedded-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const start = async (folder: string, options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), ...options })
  onTestFinished(() => server.stop())
  return server
}

const quick = { durable: false }

const connect = (url: string): Pool => {
  const pool = openPool(url)
  onTestFinished(() => pool.end())
  return pool
}

let used: Promise<string> | undefined

/** A cleanly stopped cluster: copying is faster than initdb. */
const usedFolder = async (): Promise<string> => {
  used ??= (async () => {
    const first = mkdtempSync(join(tmpdir(), 'prosa-embedded-used-'))
    chmodSync(first, 0o755)
    await (await startEmbeddedPostgres({ dataDir: join(first, 'postgres'), ...quick })).stop()
    return first
  })()
  const folder = makeFolder()
  execFileSync('cp', ['-a', join(await used, 'postgres'), folder])
  return folder
}

afterAll(async () => {
  if (used) rmSync(await used, { recursive: true, force: true })
})

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Without zombies. By working directory, because backends hide their command line. */
const processesIn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
      } catch {
        return false
      }
    })
    .map(Number)

const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

const program = fileURLToPath(new URL('../../test/database-process.ts', import.meta.url))

const startInChild = async (
  folder: string,
  kind: 'idle' | 'writing' = 'idle',
): Promise<{ child: ChildProcess; url: string; lines: string[] }> => {
  const child = spawn(process.execPath, [await builtProgram(program), join(folder, 'postgres'), kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  let rest = ''
  child.stdout.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  await until(() => expect(lines.length).toBeGreaterThan(0))
  return { child, url: lines[0] ?? '', lines }
}

describe.skipIf(process.platform === 'win32')('the embedded PostgreSQL', { timeout: 60_000 }, () => {
  it('begins with an empty UTF-8 database that sorts the same on every machine and asks for a password', async () => {
    const folder = makeFolder()
    const { url, pid } = await start(folder)
    expect(pid).toBeGreaterThan(1)
    expect(
      await query(
        url,
        'select datname, pg_encoding_to_char(encoding), datcollate from pg_database where datname = current_database()',
      ),
    ).toEqual(['prosa', 'UTF8', 'C'])
    expect(await query(url, "select setting from pg_settings where name in ('fsync', 'full_page_writes')")).toEqual([
      'on',
      'on',
    ])
    await expect(query(url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    expect(statSync(join(folder, 'postgres', 'password')).mode & 0o777).toBe(0o600)
  })

  it('keeps its data over a restart', async () => {
    const folder = await usedFolder()
    const first = await start(folder)
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    expect(processesIn(folder)).toEqual([])
    const { url } = await start(folder)
    expect(await query(url, 'select answer from kept')).toEqual([42])
  })

  it('ends with the node that holds it, even by SIGKILL, and starts again at once', async () => {
    const folder = await usedFolder()
    const { child, url } = await startInChild(folder)
    await query(url, 'create table kept as select 42 as answer')
    expect(processesIn(folder)).not.toEqual([])
    child.kill('SIGKILL')
    const again = await start(folder)
    expect(await query(again.url, 'select answer from kept')).toEqual([42])
    await again.stop()
    await until(() => expect(processesIn(folder)).toEqual([]))
  })

  it('leaves no process behind after SIGKILL of node', async () => {
    const folder = await usedFolder()
    const { child } = await startInChild(folder)
    child.kill('SIGKILL')
    await until(() => expect(processesIn(folder)).toEqual([]))
  })

  it('keeps every acknowledged row when server and node are killed in the middle of writing', async () => {
    const folder = await usedFolder()
    const { child, url, lines } = await startInChild(folder, 'writing')
    await until(() => expect(lines.length).toBeGreaterThan(200))
    const postmaster = Number(
      readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    child.kill('SIGSTOP')
    process.kill(postmaster, 'SIGKILL')
    child.kill('SIGKILL')
    const again = await start(folder)
    const acknowledged = Number(lines.at(-1))
    const [stored] = await query(again.url, 'select max(n) from row')
    expect(stored).toBeGreaterThanOrEqual(acknowledged)
    expect(await query(again.url, 'select count(*)::int from row')).toEqual([stored])
    expect(again.url).not.toBe(url)
  })

  it('starts again by itself, under the same address, when the server alone is killed', async () => {
    const troubles: unknown[] = []
    const server = await start(await usedFolder(), { onTrouble: (error) => troubles.push(error) })
    const pool = connect(server.url)
    await pool.query('create table kept as select 42 as answer')
    const before = server.pid
    process.kill(before, 'SIGKILL')
    await until(async () => {
      expect(server.pid).not.toBe(before)
      expect((await pool.query('select answer from kept')).rows).toEqual([{ answer: 42 }])
    })
    expect(troubles).toHaveLength(1)
  })

  it('ends a server whose guard was killed too, and recovers its data', async () => {
    const folder = await usedFolder()
    const { child, url } = await startInChild(folder)
    await query(url, 'create table kept as select 42 as answer')
    const server = Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
    const guard = parentOf(server)
    if (guard === undefined) throw new Error('the server has no guard')
    // Neither may react to the end of others: node would restart the server, the guard would exit.
    child.kill('SIGSTOP')
    process.kill(guard, 'SIGSTOP')
    for (const pid of [...childrenOf(guard).filter((pid) => pid !== server), guard]) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    expect(await query(url, 'select answer from kept')).toEqual([42])
    const again = await start(folder)
    expect(again.pid).not.toBe(server)
    expect(await query(again.url, 'select answer from kept')).toEqual([42])
  })

  it('refuses a folder that another Prosa uses, and leaves that one alone', async () => {
    const folder = await usedFolder()
    const { child, url } = await startInChild(folder)
    await expect(start(folder)).rejects.toThrow(
      `The data folder ${folder}/postgres is in use by another running Prosa (process ${child.pid}). Stop that one first`,
    )
    expect(await query(url, 'select 1')).toEqual([1])
  })

  it('lets one of two that start on the same empty folder win, and notifies the other', async () => {
    const folder = makeFolder()
    const both = await Promise.allSettled([start(folder, quick), start(folder, quick)])
    const reasons = both.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(reasons).toEqual([expect.stringContaining('is in use by another running Prosa')])
  })

  it('reports when the password file does not fit the data', async () => {
    const folder = await usedFolder()
    writeFileSync(join(folder, 'postgres', 'password'), 'guess')
    await expect(start(folder, quick)).rejects.toThrow(/password does not fit the data beside it/)
    await until(() => expect(processesIn(folder)).toEqual([]))
  })

  it('refuses data of another major version in one sentence', async () => {
    const folder = await usedFolder()
    writeFileSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'), '14\n')
    await expect(start(folder, quick)).rejects.toThrow(/were written by PostgreSQL 14; this Prosa brings PostgreSQL 18/)
  })

  it('makes its folder anew when the first start was broken off half way', async () => {
    const folder = makeFolder()
    const half = join(folder, 'postgres', 'cluster-draft-0123')
    mkdirSync(half, { recursive: true })
    writeFileSync(join(half, 'PG_VERSION'), '18\n')
    const { url } = await start(folder, quick)
    expect(await query(url, 'select 1')).toEqual([1])
    expect(readdirSync(join(folder, 'postgres')).filter((name) => name.includes('draft'))).toEqual([])
  })

  it('takes no notice of the process number that a crashed machine left behind', async () => {
    const folder = await usedFolder()
    writeFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), `${process.pid}\n`)
    const { url } = await start(folder, quick)
    expect(await query(url, 'select 1')).toEqual([1])
  })
})

describe.skipIf(process.getuid?.() !== 0)('the embedded PostgreSQL of root (needs root)', () => {
  it('starts where its folders were not there yet, though root’s umask closes whatever root makes', async () => {
    const folder = join(makeFolder(), 'shop', '.prosa')
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    const { url } = await start(folder, quick)
    expect(await query(url, 'select 1')).toEqual([1])
    expect(readdirSync(join(folder, 'postgres'))).not.toContain('moved-to')
  })

  it('keeps the data outside a folder that only root may enter, and finds them again', async () => {
    const folder = makeFolder()
    chmodSync(folder, 0o700)
    const first = await start(folder, quick)
    const moved = readFileSync(join(folder, 'postgres', 'moved-to'), 'utf8')
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }))
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    const { url } = await start(folder, quick)
    expect(await query(url, 'select answer from kept')).toEqual([42])
  })
})
