import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { nameContact } from '../../testing/running-reactor.ts'
import { until } from '../../testing/until.ts'
import { loadCheckpoint } from '../engine/checkpoints.ts'

const program = fileURLToPath(new URL('../../testing/worker-process.ts', import.meta.url))

const openScene = async () => {
  const database = await kernelDatabase()
  const { pool } = database
  await pool.query(
    'create table handled (at bigint generated always as identity, who text, name text, handler int, primary key (who, name))',
  )
  const store = await postgresEventStore({ url: database.url })
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  const built = await builtProgram(program)
  const start = () => {
    const child = spawn(process.execPath, [built, database.url, '1500'], { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    const kill = async () => {
      child.kill('SIGKILL')
      await ended
    }
    onTestFinished(kill)
    return { kill }
  }
  const done = async (): Promise<string[]> =>
    (await pool.query('select who, name from handled order by at')).rows.map(({ who, name }) => `${who} ${name}`)
  return { pool, store, start, done }
}

it('a process that is killed leaves a checkpoint before what it had not finished, however far it was with the rest', async () => {
  const { pool, store, start, done } = await openScene()
  const first = start()
  await nameContact(store, 'ana', '0')
  await until(async () => (await done()).length === 1)

  const inTheWay = await pool.connect()
  onTestFinished(() => inTheWay.release(true))
  await inTheWay.query('begin')
  await inTheWay.query(`insert into handled (who, name, handler) values ('bia', '1', 0)`)
  await nameContact(store, 'bia', '1')
  await nameContact(store, 'bia', '2')
  const reached = (name: string) => loadCheckpoint(pool, name, 1)
  let names = 2
  const nameAna = async () => {
    const name = String(++names)
    await nameContact(store, 'ana', name)
    await until(async () => (await done()).includes(`ana ${name}`))
  }
  await nameAna()
  for (let written = 0; written < 3; written++) {
    const before = await reached('witness')
    await nameAna()
    await until(async () => (await reached('witness')) > before)
  }
  const unfinished = (await everythingIn(store, 'contact')).find(({ stream }) => stream === 'contact-bia')
  if (!unfinished) throw new Error('the log does not hold the event')
  expect((await reached('handler')) < unfinished.position).toBe(true)
  expect((await reached('witness')) > unfinished.position).toBe(true)

  await first.kill()
  await inTheWay.query('rollback')
  start()
  await until(async () => (await done()).includes('bia 2'))
  const all = await done()
  expect(all.filter((each) => each.startsWith('bia'))).toEqual(['bia 1', 'bia 2'])
  expect(all).toHaveLength(names + 1)
  await until(async () => (await reached('handler')) > unfinished.position)
}, 60_000)
