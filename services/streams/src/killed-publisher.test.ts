import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { contactLog } from './testing/contact-log.ts'
import { type KillableBroker, noKillableBroker, startKillableBroker } from './testing/kafka-broker.ts'
import { type ReadRecord, readTopic } from './testing/read-topic.ts'

const rounds = Number(process.env.PROSA_KILLS) || shortOrLong(3, 200)
const topic = 'killed.contacts.contact'
const loadPauseMs = shortOrLong(100, 20)
const people = Array.from({ length: 25 }, (_, index) => `person${index}`)
/** Kinds of rounds, one after the other: who is killed. */
const kills = [['publisher'], ['broker'], ['publisher', 'broker']] as const

const startPublisher = (program: string, databaseUrl: string, { brokers }: KillableBroker) => {
  const child = spawn(process.execPath, [program, databaseUrl, brokers.join(), 'killed'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

const countOf = async ({ brokers }: KillableBroker): Promise<number> => {
  const admin = new Kafka({ brokers, logCreator: () => () => undefined }).admin()
  try {
    await admin.connect()
    const ends = await admin.fetchTopicOffsets(topic)
    return ends.reduce((sum, { high }) => sum + Number(high), 0)
  } catch {
    // The topic may not exist yet, or the broker may have just started.
    return 0
  } finally {
    await admin.disconnect()
  }
}

const firsts = (records: readonly ReadRecord[]) => {
  const seen = new Set<string | undefined>()
  return records.filter(({ headers: { ce_id } }) => !seen.has(ce_id) && seen.add(ce_id))
}

const runRounds = async (start: () => () => Promise<void>, broker: KillableBroker) => {
  let kill = start()
  try {
    for (let round = 0; round < rounds; round++) {
      await delay(300 + Math.random() * 1500)
      const killed: readonly string[] = kills[round % kills.length] ?? []
      await Promise.all([killed.includes('publisher') && kill(), killed.includes('broker') && broker.kill()])
      if (killed.includes('publisher')) kill = start()
      // So long the publisher meets no broker.
      if (killed.includes('broker')) {
        await delay(Math.random() * 700)
        await broker.start()
      }
      const before = await countOf(broker)
      await until(async () => (await countOf(broker)) > before, 180_000)
    }
  } catch (error) {
    await kill()
    throw error
  }
  return kill
}

it.skipIf(noKillableBroker)(
  `loses, doubles and reorders nothing, whenever publisher and broker are killed${noKillableBroker}`,
  async () => {
    const database = await kernelDatabase()
    const store = await postgresEventStore({ url: database.url })
    const broker = await startKillableBroker()
    const log = contactLog(store)
    const program = await builtProgram(join(import.meta.dirname, 'testing/publisher-process.ts'))
    let isOver = false
    const load = (async () => {
      while (!isOver) {
        await Promise.all(people.map(log.accept))
        await delay(loadPauseMs)
      }
    })()
    try {
      const kill = await runRounds(() => startPublisher(program, database.url, broker), broker)
      isOver = true
      await load
      const events = await log.all()
      await until(async () => (await countOf(broker)) >= events.length, 120_000)
      await kill()
      const records = await readTopic(broker.brokers, topic)
      const once = firsts(records)
      const duplicates = records.length - once.length
      noteMeasurements('Publisher and broker killed under load', {
        ...{ rounds, events: events.length, records: records.length, duplicates },
        lost: events.length - once.length,
      })
      for (const who of people) {
        const published = once.filter(({ key }) => key === `contact-${who}`)
        const stored = events.filter(({ stream }) => stream === `contact-${who}`)
        expect(published.map(({ headers }) => headers.ce_id)).toEqual(stored.map(({ id }) => id))
      }
      expect([records.length, duplicates]).toEqual([events.length, 0])
    } finally {
      isOver = true
      await load
      await broker.remove()
      await store.close()
      await database.drop()
    }
  },
  60_000 + rounds * 60_000,
)
