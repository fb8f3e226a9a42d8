import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { later } from '../../clock.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import { openPool } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { reactorDeps } from '../../testing/running-reactor.ts'
import { runningTimers, trialsOf, trialTimers } from '../../testing/running-timers.ts'
import { until } from '../../testing/until.ts'
import { timerChannel } from './table.ts'

let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(() => database.drop())

const who = fc.constantFrom('ana', 'bia', 'caio', 'davi')
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('start' as const), who, seconds: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('end' as const), who }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 30 }) }) },
)
const scenario = fc.record({
  happenings: fc.array(happening, { minLength: 20, maxLength: 40 }),
  crashes: fc.uniqueArray(fc.nat(19), { minLength: 2, maxLength: 3 }),
  rebuild: fc.nat(19),
})

const crash = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (application_name like 'prosa-lock %' or state <> 'idle' or query ~ 'timer')`,
  )

it('every timer that comes due has one effect, none early, wherever processes crash and rows are built anew', async () => {
  const holds = fc.asyncProperty(scenario, async ({ happenings, crashes, rebuild }) => {
    const [kind, store] = [randomUUID(), memoryEventStore()]
    const time = { now: '2026-11-21T08:00:00.000Z' }
    const deps = { ...reactorDeps(store, database), clock: { now: () => time.now } }
    const trials = trialsOf(deps)
    const early: string[] = []
    const launch = (version: number) =>
      Array.from({ length: 2 }, () => {
        const pool = openPool(database.url)
        const fire = trialTimers(
          kind,
          async (timer) => {
            if (time.now < timer.dueAt) early.push(timer.key)
            await trials.endBy(timer)
          },
          version,
        )
        const { stop } = runningTimers(fire, { ...deps, pool })
        return async () => {
          await stop()
          await pool.end()
        }
      })
    const stopAll = (stops: (() => Promise<void>)[]) => Promise.all(stops.map((stop) => stop()))

    const armed = new Map<string, string>()
    const expected: string[] = []
    const effects = async () =>
      (await everythingIn(store, 'subscription'))
        .filter(({ type, metadata }) => type === 'TrialEnded' && metadata.actor.kind === 'system')
        .map(({ stream }) => stream.slice('subscription-'.length))
        .sort()
    const pass = async (seconds: number) => {
      time.now = later(time.now, seconds * 1000)
      for (const [key, dueAt] of armed) if (dueAt <= time.now && armed.delete(key)) expected.push(key)
      await database.pool.query('select pg_notify($1, $2)', [timerChannel, kind])
      await until(async () => (await effects()).length >= expected.length, 60_000)
    }

    let processes = launch(1)
    for (const [index, next] of happenings.entries()) {
      if (crashes.includes(index)) await crash()
      if (rebuild === index) {
        await stopAll(processes)
        processes = launch(2)
      }
      if (next.what === 'pass') await pass(next.seconds)
      else if (next.what === 'end') {
        await trials.end(next.who)
        armed.delete(next.who)
      } else {
        const dueAt = later(time.now, next.seconds * 1000)
        await trials.start(next.who, dueAt)
        armed.set(next.who, dueAt)
      }
    }
    await pass(3600)
    await until(async () => (await database.pool.query('select from timer where kind = $1', [kind])).rowCount === 0)
    await stopAll(processes)
    expect(await effects()).toEqual(expected.sort())
    expect(early).toEqual([])
  })
  await fc.assert(holds, { numRuns: 1 })
}, 150_000)
