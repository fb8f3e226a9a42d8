import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../clock.ts'
import { eventCodec } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/port.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { transaction } from '../../postgres/pool.ts'
import type { TestPostgres } from '../../postgres/testing.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { until } from '../../testing/until.ts'
import { createSubjectTable, type Kind, subjects } from '../testing/consumer-subjects.ts'
import type { ConsumerStatuses } from './consumer-status.ts'
import { holdEpoch, Overtaken } from './epochs.ts'
import { listParked } from './parked-queries.ts'

const program = fileURLToPath(new URL('../testing/consumer-process.ts', import.meta.url))
const silenceMs = 1500

export const consumerContract = (kind: Kind) => {
  const subject = subjects[kind]
  let database: TestPostgres
  let store: EventStore
  let running: { stop(): Promise<void> }[]
  let given: Map<string, string[]>
  beforeEach(async () => {
    database = await kernelDatabase()
    await createSubjectTable(database.pool)
    store = await postgresEventStore({ url: database.url })
    running = []
    given = new Map()
  })
  afterEach(async () => {
    await Promise.all(running.map(({ stop }) => stop()))
    await store.close()
    await database.drop()
  })

  const start = (version = 1) => {
    const stopping = new AbortController()
    const statuses: ConsumerStatuses = new Map()
    const { pool, url: databaseUrl } = database
    const deps = { store, pool, databaseUrl, codec: eventCodec(), clock: systemClock, silenceMs }
    const ended = subject.run(deps, stopping.signal, statuses, version)
    const process = {
      status: () => [...statuses.values()][0],
      async stop() {
        stopping.abort()
        await ended
      },
    }
    running.push(process)
    return process
  }

  const name = async (who: string, ...names: string[]) => {
    const known = given.get(who) ?? []
    given.set(who, [...known, ...names])
    const metadata = {
      ...{ causationId: 'test', correlationId: 'test', schemaVersion: 1, recordedAt: '2026-11-21T12:00:00.000Z' },
      ...{ actor: { kind: 'system' as const, id: 'test' }, tenant: `tenant of ${who}` },
    }
    const events = names.map((each) => ({ id: randomUUID(), type: 'ContactNamed', data: { name: each }, metadata }))
    const expected = known.length === 0 ? 'no_stream' : BigInt(known.length - 1)
    expect(await store.append(`contact-${who}`, expected, events)).toMatchObject({ ok: true })
  }
  const nameAll = async (people: readonly string[], ...names: string[]) => {
    for (const each of names) for (const who of people) await name(who, each)
  }
  const shown = (who: string) => subject.names(database.pool, who)
  const expected = (who: string) =>
    subject.keeps === 'all' ? (given.get(who) ?? []) : (given.get(who) ?? []).slice(-1)
  const allShown = async (...people: string[]) => {
    for (const who of people.length > 0 ? people : given.keys()) {
      const last = expected(who).at(-1)
      await until(async () => (await shown(who)).at(-1) === last)
      expect(await shown(who)).toEqual(expected(who))
    }
  }
  const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => String(from + index))
  const people = ['ana', 'bia', 'caio']
  const cutLocks = () =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'prosa-lock %'`,
    )
  const epoch = async () => {
    const text = 'select epoch from worker_epoch where worker = $1'
    const { rows } = await database.pool.query<{ epoch: string }>(text, [subject.worker])
    return { worker: subject.worker, epoch: rows[0]?.epoch ?? '' }
  }

  describe(`a consumer of the kind ${kind}`, { timeout: 120_000 }, () => {
    it('takes the events of a key in their order, what was there before and what comes later', async () => {
      await nameAll(people, ...numbers(20))
      const consumer = start()
      await allShown()
      await nameAll(people, ...numbers(20, 20))
      await allShown()
      await until(() => consumer.status()?.state === 'following')
      expect(consumer.status()).toMatchObject({ inFlight: 0 })
    })

    it('takes every event and has each effect once, however often it is interrupted or started anew', async () => {
      let consumer = start()
      for (let round = 0; round < 5; round++) {
        await nameAll(people, ...numbers(5, 10 * round))
        if (round % 2 === 0) await cutLocks()
        else {
          await consumer.stop()
          consumer = start()
        }
        await nameAll(people, ...numbers(5, 10 * round + 5))
      }
      await allShown()
    })

    it('is taken over with a new epoch, in which the one before can store nothing', async () => {
      start()
      await name('ana', 'one')
      await allShown()
      const before = await epoch()
      start()
      await cutLocks()
      await until(async () => (await epoch()).epoch !== before.epoch)
      await name('ana', 'two')
      await allShown()
      await expect(transaction(database.pool, (db) => holdEpoch(db, before))).rejects.toThrow(Overtaken)
    })

    it('that stands still is relieved, and disturbs nothing when it goes on', async () => {
      const built = await builtProgram(program)
      const spawned = () => {
        const stdio = ['ignore', 'ignore', 'inherit'] as const
        const child = spawn(process.execPath, [built, kind, database.url, String(silenceMs)], {
          stdio: [...stdio],
        })
        const ended = once(child, 'exit')
        onTestFinished(async () => {
          child.kill('SIGKILL')
          await ended
        })
        return child
      }
      const first = spawned()
      await nameAll(people, ...numbers(5))
      await allShown()
      spawned()
      const naming = nameAll(people, ...numbers(10, 5))
      first.kill('SIGSTOP')
      await naming
      await allShown()
      first.kill('SIGCONT')
      await nameAll(people, ...numbers(10, 15))
      await allShown()
    })

    it('does not go past an event that fails for good, and lets others go on', async () => {
      database.expectParkedTenants()
      const consumer = start()
      await name('bia', 'one')
      await allShown()
      await name('ana', 'one', 'poison', 'two')
      await name('bia', 'two')
      // Timers must fire in log order, so the kind stops.
      if (kind === 'timers') {
        await until(() => consumer.status()?.trouble?.reason === 'Error')
        expect(await shown('ana')).toEqual(['one'])
        return
      }
      await allShown('bia')
      const row = await until(async () => (await listParked(database.pool, 10)).find(({ waiting }) => waiting === 2))
      expect(row).toMatchObject({ worker: subject.worker, errorName: 'Error' })
      expect(await shown('ana')).toEqual(['one'])
    })

    // Effects of reactors cannot be rebuilt.
    it.skipIf(kind === 'reactor')('is built anew from the whole log by a new version', async () => {
      const old = start()
      await nameAll(people, ...numbers(5))
      await allShown()
      await old.stop()
      await nameAll(people, ...numbers(5, 5))
      const renewed = start(2)
      await allShown()
      await until(() => renewed.status()?.state === 'following')
      await name('ana', 'last')
      await allShown()
    })
  })
}
