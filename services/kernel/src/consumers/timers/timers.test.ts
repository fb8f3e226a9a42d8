import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../clock.ts'
import { memoryEventStore } from '../../event-store/memory.ts'
import { transaction } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { everythingIn } from '../../testing/everything-in.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { appendRaw, reactorDeps, runningReactor } from '../../testing/running-reactor.ts'
import { runningTimers, trialsOf, trialTimers } from '../../testing/running-timers.ts'
import { until } from '../../testing/until.ts'
import { listParked, type ParkedRow } from '../engine/parked-queries.ts'
import { parkedWorkHandler } from '../engine/parked-work.ts'
import { decideOnWorkRetried } from '../reactors/decide-on-work-retried.ts'
import { claimDue } from './queries.ts'
import type { Timer } from './timer.ts'

let database: TestPostgres
const running: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  database = await kernelDatabase()
})
afterEach(async () => void (await Promise.all(running.splice(0).map(({ stop }) => stop()))))
afterAll(() => database.drop())

const morning = '2026-11-21T08:00:00.000Z'

const scene = () => {
  const kind = randomUUID()
  const store = memoryEventStore()
  const time = { now: morning }
  const deps = { ...reactorDeps(store, database), clock: { now: () => time.now }, pauses: [1, 1] }
  const trials = trialsOf(deps)
  const fired: Timer[] = []
  const current = { fire: trials.endBy }
  const fire = async (timer: Timer) => {
    fired.push(timer)
    await current.fire(timer)
  }
  const rows = async () => (await database.pool.query('select key from timer where kind = $1', [kind])).rows.length
  const parked = async () => (await listParked(database.pool, 100)).find(({ worker }) => worker === `timer ${kind}`)
  const pass = (seconds: number) => {
    time.now = later(time.now, seconds * 1000)
  }
  const parkedInTime = () => {
    pass(1)
    return parked()
  }
  return {
    ...{ pass, parkedInTime, kind, store, trials, fired, current, time, rows, parked },
    ended: async () => (await everythingIn(store, 'subscription')).filter(({ type }) => type === 'TrialEnded'),
    run: (version = 1) => {
      const process = runningTimers(trialTimers(kind, fire, version), deps)
      running.push(process)
      return process
    },
    async decide(type: 'RetryWork' | 'ReleaseWork', row: ParkedRow) {
      running.push(runningReactor({ ...decideOnWorkRetried(database.pool), name: randomUUID() }, deps))
      const works = parkedWorkHandler(deps)
      const { id, parkingId } = row
      await until(async () => (await works.load(id, null)).parkingId === parkingId)
      const actor = { kind: 'admin', id: 'rosa' } as const
      const context = { commandId: randomUUID(), actor, tenant: null, causationId: 'x', correlationId: 'x' }
      expect(await works(id, { type, data: { parkingId } }, context)).toMatchObject({ ok: true })
    },
  }
}

describe('a timer', () => {
  it('fires at its time, not before, and then is gone', async () => {
    const { run, trials, pass, ended, fired, rows } = scene()
    run()
    await trials.start('ana', later(morning, 60_000))
    await trials.start('bia', later(morning, 61_000))
    await until(async () => (await rows()) === 2)
    pass(59.999)
    await trials.start('caio', later(morning, 59_999))
    await until(async () => (await ended()).length === 1)
    expect(fired.map(({ key }) => key)).toEqual(['caio'])
    pass(0.001)
    await until(async () => (await ended()).length === 2)
    expect(fired.map(({ key }) => key)).toEqual(['caio', 'ana'])
    await until(async () => (await rows()) === 1)
  })

  it('fires once, with the data of the event, in the name of its tenant', async () => {
    const { run, trials, pass, ended, kind } = scene()
    run()
    run()
    const started = await trials.start('ana', later(morning, 60_000))
    pass(60)
    const [event] = await until(async () => ((await ended()).length > 0 ? ended() : undefined))
    expect(started.ok).toBe(true)
    expect(event?.metadata).toMatchObject({ tenant: 'tenant', correlationId: 'test', actor: { id: `timer ${kind}` } })
  })

  it('does not fire once it is cancelled, and fires at the later time when it is moved', async () => {
    const { run, trials, pass, ended, fired, rows } = scene()
    run()
    await trials.start('cancelled', later(morning, 10_000))
    await trials.start('moved', later(morning, 10_000))
    await until(async () => (await rows()) === 2)
    await trials.end('cancelled')
    await trials.start('moved', later(morning, 90_000))
    await until(async () => (await rows()) === 1)
    pass(20)
    await trials.start('other', later(morning, 15_000))
    await until(() => fired.length === 1)
    pass(70)
    await until(() => fired.length === 2)
    expect(fired.map(({ key, dueAt }) => [key, dueAt])).toEqual([
      ['other', later(morning, 15_000)],
      ['moved', later(morning, 90_000)],
    ])
    await until(async () => (await ended()).length === 3)
  })

  it('that was due while nobody ran fires as soon as somebody does', async () => {
    const { run, trials, pass, ended, rows } = scene()
    const first = run()
    await trials.start('ana', later(morning, 10_000))
    await until(async () => (await rows()) === 1)
    await first.stop()
    pass(3600)
    run()
    await until(async () => (await ended()).length === 1)
  })

  it('is fired by another process when the one that was firing it dies', async () => {
    const { run, trials, pass, ended, fired, current } = scene()
    let release: () => void = () => undefined
    const paused = new Promise<void>((resolve) => {
      release = resolve
    })
    const { fire } = current
    current.fire = () => paused
    run()
    await trials.start('ana', later(morning, 10_000))
    pass(10)
    await until(() => fired.length === 1)
    run()
    current.fire = fire
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
    await until(async () => (await ended()).length === 1)
    release()
  })

  it('does not fire again after its rows were dropped and built anew from the log', async () => {
    const { run, trials, pass, ended, fired, rows } = scene()
    const first = run()
    await trials.start('done', later(morning, 10_000))
    await trials.start('ahead', later(morning, 99_000))
    pass(10)
    await until(async () => (await ended()).length === 1)
    await until(async () => (await rows()) === 1)
    await first.stop()
    await database.pool.query(`delete from timer where kind = $1`, [fired[0]?.kind])
    run(2)
    pass(89)
    await until(async () => (await ended()).length === 2)
    expect(fired.map(({ key }) => key)).toEqual(['done', 'ahead'])
  })

  it('is tried again, parked in the end, and fires when an administrator has it retried', async () => {
    const { run, trials, pass, ended, fired, current, parked, parkedInTime, decide, store, rows } = scene()
    const { fire } = current
    current.fire = async ({ key }) => {
      if (key === 'odd') throw new Error('odd')
    }
    run()
    await trials.start('odd', later(morning, 10_000))
    await trials.start('fine', later(morning, 10_000))
    pass(10)
    const row = await until(parkedInTime)
    expect(row).toMatchObject({ errorName: 'Error', attempts: 3, waiting: 0 })
    expect(fired.filter(({ key }) => key === 'fine')).toHaveLength(1)
    current.fire = fire
    await decide('RetryWork', row)
    await until(async () => (await ended()).length === 1)
    await until(async () => (await parked()) === undefined && (await rows()) === 0)
    const events = await everythingIn(store, 'parkedWork')
    expect(events.map(({ type }) => type)).toEqual(['WorkParked', 'WorkRetried', 'WorkResumed'])
  })

  it('is given up when an administrator releases it', async () => {
    const { run, trials, ended, current, parked, parkedInTime, decide, rows } = scene()
    current.fire = () => Promise.reject(new Error('odd'))
    run()
    await trials.start('odd', morning)
    await decide('ReleaseWork', await until(parkedInTime))
    await until(async () => (await parked()) === undefined && (await rows()) === 0)
    expect(await ended()).toEqual([])
  })

  it('waits no more for a decision once an event cancels it', async () => {
    const { run, trials, current, parked, parkedInTime, rows } = scene()
    current.fire = () => Promise.reject(new Error('odd'))
    run()
    await trials.start('odd', morning)
    await until(parkedInTime)
    await trials.end('odd')
    await until(async () => (await parked()) === undefined && (await rows()) === 0)
  })

  it('that is parked fires at its new time once an event moves it, with all its tries before it', async () => {
    const { run, trials, pass, ended, fired, current, parked, parkedInTime, rows } = scene()
    const { fire } = current
    current.fire = () => Promise.reject(new Error('odd'))
    run()
    await trials.start('odd', morning)
    await until(parkedInTime)
    const newTime = later(morning, 600_000)
    await trials.start('odd', newTime)
    await until(async () => (await parked()) === undefined)
    const before = fired.length
    let failures = 2
    current.fire = (timer) => (failures-- > 0 ? Promise.reject(new Error('odd')) : fire(timer))
    pass(600)
    await until(async () => {
      pass(1)
      return (await ended()).length === 1
    })
    expect(fired.slice(before).map(({ dueAt }) => dueAt)).toEqual([newTime, newTime, newTime])
    await until(async () => (await rows()) === 0)
    expect(await parked()).toBeUndefined()
  })
})

describe('the timers of a kind', () => {
  it('stop following the log at an event that nobody knows, and report it; what was set before fires', async () => {
    const { run, trials, pass, fired, store, kind, rows } = scene()
    await trials.start('before', later(morning, 10_000))
    const { statuses } = run()
    await until(async () => (await rows()) === 1)
    await appendRaw(store, 'subscription-odd', { type: 'TrialPainted', data: {} })
    await until(() => statuses.get(kind)?.trouble?.reason === 'UndecodableEvent')
    pass(10)
    await until(() => fired.some(({ key }) => key === 'before'))
  })

  it('do not fire while they are built anew and have not caught up: what they hold may have happened', async () => {
    const { run, trials, pass, store, kind, rows, time } = scene()
    await trials.start('done', later(morning, 10_000))
    await appendRaw(store, 'subscription-odd', { type: 'TrialPainted', data: {} })
    await trials.end('done')
    const { statuses } = run()
    await until(async () => (await rows()) === 1 && statuses.get(kind)?.trouble?.reason === 'UndecodableEvent')
    pass(10)
    expect(await transaction(database.pool, (db) => claimDue(db, [kind], time.now, 10))).toEqual([])
  })
})
