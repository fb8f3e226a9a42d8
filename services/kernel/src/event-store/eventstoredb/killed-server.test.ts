import { expect, it, onTestFinished } from 'vitest'
import { noKillableServer, startKillableServer } from '../../testing/killable-server.ts'
import { noteMeasurements, shortOrLong } from '../../testing/long-form.ts'
import { retryingWriters } from '../../testing/retrying-writers.ts'
import { until } from '../../testing/until.ts'
import { beginning } from '../port.ts'
import { follow, openStore } from './double/opened-double.ts'

it.skipIf(noKillableServer)(
  `a real server that is killed again and again under load loses no acknowledged append${noKillableServer}`,
  { timeout: 3_600_000 },
  async () => {
    const rounds = shortOrLong(1, 10)
    const server = await startKillableServer()
    onTestFinished(server.remove)
    const { store, troubles } = await openStore(server.url, { answerMs: 5000 })
    const follower = follow(store, 'faults')
    await until(follower.isLive)
    const writing = retryingWriters(store, 16)
    const outages: number[] = []
    const moreAcknowledged = async (count: number) => {
      const before = writing.acknowledged()
      await until(() => writing.acknowledged() >= before + count, 120_000)
    }
    for (let round = 0; round < rounds; round++) {
      await moreAcknowledged(200)
      const killed = performance.now()
      await server.killAndStart()
      await moreAcknowledged(1)
      outages.push(performance.now() - killed)
    }
    await moreAcknowledged(200)
    await writing.stop()

    const { acknowledged, askedAgain, ...wrong } = await writing.verdict(store)
    const log: string[] = []
    for await (const { events } of store.readAll(beginning, { categories: ['faults'] }))
      log.push(...events.map(({ id }) => id))
    await until(() => follower.ids().length >= log.length)
    noteMeasurements('EventStoreDB killed under load', {
      ...{ rounds, acknowledged, askedAgain, ...wrong },
      'followed in order': follower.ids().length,
      'longest outage, ms': Math.round(Math.max(...outages)),
    })
    expect(wrong).toEqual({ lost: 0, doubled: 0, misplaced: 0, falseConflicts: 0 })
    expect(follower.ids()).toEqual(log)
    expect(troubles.length).toBeGreaterThanOrEqual(rounds)
  },
)
