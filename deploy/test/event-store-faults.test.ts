import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { eventStoreMigrations } from '@prosa/kernel/event-store/postgres/migrations'
import { migrate } from '@prosa/kernel/postgres/migrations'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { type RetryingWriters, retryingWriters } from '@prosa/kernel/testing/retrying-writers'
import { tcpProxy } from '@prosa/kernel/testing/tcp-proxy'
import { until } from '@prosa/kernel/testing/until'
import { expect, it, onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

const allIsWell = { lost: 0, doubled: 0, misplaced: 0, falseConflicts: 0 }
const writers = 16

/** Counts faults: a test that provoked none proves nothing. */
const openStore = async (url: string, answerMs?: number) => {
  let troubles = 0
  await migrate(url, [eventStoreMigrations])
  const store = await postgresEventStore({
    url,
    maxOutageMs: 100,
    ...(answerMs && { answerMs }),
    onTrouble: () => {
      troubles++
    },
  })
  onTestFinished(() => store.close())
  return { store, troubles: () => troubles }
}

const durableServer = async (folder?: string): Promise<EmbeddedPostgres> => {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'prosa-faults-')))
  const server = await startEmbeddedPostgres({ dataDir })
  onTestFinished(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true }).catch(() => undefined)
  })
  return server
}

const moreAcknowledged = (writing: RetryingWriters, count: number) => {
  const before = writing.acknowledged()
  return until(() => writing.acknowledged() >= before + count, 60_000)
}

it('loses no acknowledged append when the server is killed again and again under load', {
  timeout: 900_000,
}, async () => {
  const rounds = shortOrLong(2, 100)
  const server = await durableServer()
  const { store, troubles } = await openStore(server.url)
  const writing = retryingWriters(store, writers)
  const outages: number[] = []
  for (let round = 0; round < rounds; round++) {
    await moreAcknowledged(writing, 50)
    await delay(Math.random() * 100)
    const killed = performance.now()
    const troublesBefore = troubles()
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await until(() => troubles() > troublesBefore)
    await moreAcknowledged(writing, 1)
    outages.push(performance.now() - killed)
    await until(() => server.pid !== pid)
  }
  await writing.stop()
  const verdict = await writing.verdict(store)
  const longest = Math.round(Math.max(...outages))
  noteMeasurements('PostgreSQL killed under load', { rounds, ...verdict, 'longest outage, ms': longest })
  expect(verdict).toMatchObject(allIsWell)
  expect(troubles()).toBeGreaterThanOrEqual(rounds)
})

it('loses nothing and believes nothing when a connection hangs half open', { timeout: 300_000 }, async () => {
  const rounds = shortOrLong(2, 50)
  const server = await durableServer()
  const url = new URL(server.url)
  const proxy = await tcpProxy(Number(url.port))
  onTestFinished(proxy.close)
  url.port = String(proxy.port)
  const { store, troubles } = await openStore(url.href, 500)
  const writing = retryingWriters(store, writers)
  for (let round = 0; round < rounds; round++) {
    await moreAcknowledged(writing, 50)
    proxy.freeze()
  }
  await moreAcknowledged(writing, 50)
  await writing.stop()
  const verdict = await writing.verdict(store)
  noteMeasurements('connections to PostgreSQL half open', { rounds, ...verdict })
  expect(verdict).toMatchObject(allIsWell)
  expect(troubles()).toBeGreaterThanOrEqual(rounds)
})

const smallDisk = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', folder])
  onTestFinished(async () => {
    execFileSync('umount', ['--lazy', folder])
    await rmdir(folder)
  })
  await chmod(folder, 0o711)
  return folder
}

const mayMount = () => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return process.platform === 'linux' && process.getuid?.() === 0
  } catch {
    return false
  }
}
const noDisk = mayMount() ? '' : ' (skipped: only root may mount a small disk)'

it.skipIf(noDisk)(
  `answers nothing with success while the disk is full, and goes on when there is room again${noDisk}`,
  { timeout: 300_000 },
  async () => {
    const rounds = shortOrLong(1, 10)
    const disk = await smallDisk()
    const server = await durableServer(join(disk, 'postgres'))
    const { store, troubles } = await openStore(server.url)
    const writing = retryingWriters(store, writers)
    for (let round = 0; round < rounds; round++) {
      await moreAcknowledged(writing, 50)
      const ballast = join(disk, 'ballast')
      const file = await open(ballast, 'w')
      const filled = (async () => {
        for (;;) await file.write(Buffer.alloc(256 * 1024))
      })()
      await expect(filled).rejects.toMatchObject({ code: 'ENOSPC' })
      await file.close()
      await until(async () => {
        const before = writing.acknowledged()
        await delay(1000)
        return writing.acknowledged() === before
      }, 60_000)
      await rm(ballast)
      await moreAcknowledged(writing, 50)
    }
    await writing.stop()
    const verdict = await writing.verdict(store)
    noteMeasurements('disk of PostgreSQL full', { rounds, ...verdict })
    expect(verdict).toMatchObject(allIsWell)
    expect(troubles()).toBeGreaterThanOrEqual(rounds)
  },
)
