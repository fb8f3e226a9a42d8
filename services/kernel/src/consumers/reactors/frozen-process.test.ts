import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { later, systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { nameContact } from '../../testing/running-reactor.ts'
import { trialsOf } from '../../testing/running-timers.ts'
import { until } from '../../testing/until.ts'

const program = fileURLToPath(new URL('../../testing/worker-process.ts', import.meta.url))
const silenceMs = 1500
const people = ['ana', 'bia', 'caio', 'davi', 'eva']

it('a process that stands still is relieved, and disturbs nothing when it goes on', { timeout: 120_000 }, async () => {
  const database = await kernelDatabase()
  const { pool } = database
  await pool.query(
    'create table handled (at bigint generated always as identity, who text, name text, handler int, primary key (who, name))',
  )
  const store = await postgresEventStore({ url: database.url })
  const built = await builtProgram(program)
  const start = () => {
    const child = spawn(process.execPath, [built, database.url, String(silenceMs)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    return child
  }
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })

  let rounds = 0
  const talk = async (times: number) => {
    for (let round = 0; round < times; round++) {
      const name = String(rounds++)
      await Promise.all(people.map((who) => nameContact(store, who, name)))
    }
  }
  const written = async (): Promise<{ who: string; name: string; handler: number }[]> =>
    (await pool.query('select who, name, handler from handled order by at')).rows
  const trials = trialsOf({ store, codec: eventCodec(), clock: systemClock })
  let started = 0
  const tryOut = () => trials.start(`trial${started++}`, later(systemClock.now(), 100))
  const ended = async () => (await everythingIn(store, 'subscription')).filter(({ type }) => type === 'TrialEnded')

  const first = start()
  await talk(3)
  await tryOut()
  await until(async () => (await written()).length === rounds * people.length && (await ended()).length === started)
  const second = start()
  const talking = talk(20)
  await until(async () => (await written()).length > 4 * people.length)
  first.kill('SIGSTOP')
  await talking
  await tryOut()

  await until(async () => (await written()).length === rounds * people.length && (await ended()).length === started)
  expect((await written()).at(-1)?.handler).toBe(second.pid)
  first.kill('SIGCONT')
  for (let round = 0; round < 4; round++) {
    await talk(3)
    await tryOut()
    await until(async () => (await written()).length === rounds * people.length && (await ended()).length === started)
  }

  const rows = await written()
  const names = Array.from({ length: rounds }, (_, index) => String(index))
  for (const who of people) expect(rows.flatMap((row) => (row.who === who ? row.name : []))).toEqual(names)
  expect(new Set((await ended()).map(({ stream }) => stream)).size).toBe(started)
})
