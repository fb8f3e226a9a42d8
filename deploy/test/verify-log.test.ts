import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accepted, event, newStream } from '@prosa/kernel/event-store/contract/samples'
import { claimLogId, confirmLog } from '@prosa/kernel/event-store/identity/queries'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { extendChain } from '@prosa/kernel/operations/hash-chain/extend-chain'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { afterAll, beforeAll, expect, it } from 'vitest'

let database: TestPostgres
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-verify-'))
  database = await kernelDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const verifyLog = () =>
  new Promise<{ code: number; lines: string[] }>((resolve) => {
    const configured = {
      DATABASE_URL: database.url,
      PROSA_SECRET: '07'.repeat(32),
      PROSA_DATA_DIR: folder,
      NODE_ENV: 'development',
    }
    const root = join(import.meta.dirname, '../..')
    const options = { cwd: root, env: { ...process.env, ...configured } }
    execFile('npm', ['run', '--silent', 'verify-log'], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, lines: (stdout + stderr).trim().split('\n') }),
    )
  })

const eventAt = async (position: number) => {
  const { rows } = await database.pool.query<{ id: string; stream: string }>(
    'select id, stream from es.event where position = $1',
    [position],
  )
  return rows[0] ?? { id: '', stream: '' }
}
const insert = async (position: number) => {
  const id = randomUUID()
  await database.pool.query(
    `insert into es.event (position, stream, revision, id, type, data, metadata)
     select $1, 'contact-' || $2, 0, $2::uuid, type, data, metadata from es.event where position = 1`,
    [position, id],
  )
  return id
}

it('npm run verify-log says that a log is as it was, then names one event that was changed, one removed, and those inserted', {
  timeout: 180_000,
}, async () => {
  const { pool } = database
  await confirmLog(pool, await claimLogId(pool, randomUUID(), 'here'), 'here')
  const store = await postgresEventStore({ url: database.url })
  for (let index = 0; index < 30; index++)
    accepted(await store.append(newStream(), 'no_stream', [event({ index, text: `mensagem ${index}` })]))
  // Positions are dense: only where one is missing is there room between two.
  await pool.query('delete from es.event where position = 27')
  const headsFile = join(folder, 'log-heads.jsonl')
  const files = diskFileStore(join(folder, 'files'))
  const chain = { store, pool, files, headsFile, clock: { now: () => '2026-11-27T00:10:00.000Z' } }
  await extendChain(chain, new AbortController().signal, { eventsOfBlock: 10 })
  await store.close()

  const before = await verifyLog()
  expect(before).toEqual({ code: 0, lines: [expect.stringMatching(/^The log is as it was .*: 29 events in 3 blocks/)] })

  const [changed, removed] = [await eventAt(4), await eventAt(15)]
  await pool.query(`update es.event set data = '{"index":3,"text":"outra"}' where position = 4`)
  await pool.query('delete from es.event where position = 15')
  // What stands before the first position is in its stream, though no consumer reads it.
  const [between, atZero, below] = [await insert(27), await insert(0), await insert(-5)]

  const { code, lines } = await verifyLog()
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/^THE LOG IS NOT AS IT WAS/)
  const named = lines.slice(0, -1).map((line) => line.replace(/ at position \S*/, ''))
  expect(named).toEqual([
    `inserted: event ${below} of contact-${below} (before the first block)`,
    `inserted: event ${atZero} of contact-${atZero} (before the first block)`,
    `changed: event ${changed.id} of ${changed.stream} (block 1)`,
    `removed: event ${removed.id} (block 2)`,
    `inserted: event ${between} of contact-${between} (block 3)`,
  ])
})
