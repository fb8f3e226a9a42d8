import { setTimeout as delay } from 'node:timers/promises'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { codecOf, delayedFlow, peopleInFlows } from './people-in-flows.ts'
import { productProcess } from './product-process.ts'

const people = 200
const kills = 20
/** With one message after each: fewer than the 20 after which a run ends without an answer. */
const rests = 18
const maxLifeMs = 4000
const noNetwork = 'ws://127.0.0.1:1'

type RunEvent = Stored<EventOf<typeof flowRunEvents>>

const flows = [1, 2, 3, 4].map((seed) => ({
  word: `fluxo ${seed}`,
  delays: Array.from({ length: rests }, (_, index) => 4 + ((seed + index) % 5)),
}))

it(`each step of ${people} runs with delays comes once, and none is left out, while the product is killed ${kills} times`, async () => {
  const database = await testPostgres()
  const product = await productProcess(database.url, noNetwork, { leaseMs: 3000 })
  const store = await postgresEventStore({ url: database.url })
  const stop = new AbortController()
  try {
    const secret = Buffer.from(product.secret, 'hex')
    const codec = await codecOf(database.pool, database.url, secret, stop.signal)
    const shop = peopleInFlows({ store, codec })
    const line = await shop.line()
    for (const { word, delays } of flows) await shop.flow(delayedFlow(word, delays))
    const known = async () =>
      (await database.pool.query('select from flow_on where owner = $1', [shop.tenant])).rowCount
    await until(async () => (await known()) === flows.length, 30_000)

    const write = async (index: number) =>
      shop.writes(await shop.person(), line, flows[index % flows.length]?.word ?? '')
    const writing = Promise.all(Array.from({ length: people }, (_, index) => write(index)))

    const starts: number[] = [Date.now()]
    for (let kill = 0; kill < kills; kill++) {
      await delay(Math.random() * maxLifeMs)
      await product.kill()
      await product.start()
      starts.push(Date.now())
    }
    await writing

    const everything = async (): Promise<RunEvent[]> => {
      const events: Stored[] = []
      for await (const batch of store.readAll(beginning, { categories: ['flowRun'] }))
        events.push(...(await codec.decode(batch.events)))
      return events as RunEvent[]
    }
    const ended = async () => (await everything()).filter(({ type }) => type === 'FlowRunEnded').length
    await until(async () => (await ended()) === people, 180_000)

    const log = await everything()
    const byStream = new Map<string, RunEvent[]>()
    for (const event of log) byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event])
    expect(byStream.size).toBe(people)
    const stepsOf = (events: readonly RunEvent[]) =>
      events.flatMap(({ type, data }) => (type === 'FlowStepTaken' ? data.nodeId : []))
    const said = (events: readonly RunEvent[]) =>
      events.flatMap(({ type, data }) => (type === 'FlowMessageRequested' ? data.messageId : []))
    const wanted = [
      'start',
      ...Array.from({ length: rests }, (_, each) => [`says${each}`, `rests${each}`]).flat(),
      'last',
    ]
    for (const events of byStream.values()) {
      expect(stepsOf(events)).toEqual(wanted)
      expect(said(events)).toHaveLength(rests + 1)
      expect(events.flatMap(({ type, data }) => (type === 'FlowRunEnded' ? data.reason : []))).toEqual(['completed'])
    }
    expect(new Set(said(log)).size).toBe(people * (rests + 1))

    const late = [...byStream.values()].flatMap((events) => latenessIn(events, starts)).toSorted((a, b) => a - b)
    expect(late).toHaveLength(people * rests)
    noteMeasurements('Runs of flows with delays, with the whole product killed in between', {
      runs: people,
      kills,
      delays: late.length,
      'steps, each once': people * wanted.length,
      'lost or doubled': 0,
      'end of a delay after its time, or after the product was back, p50 / p99 / max ms': [0.5, 0.99, 1]
        .map((share) => Math.round(late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? 0))
        .join(' / '),
    })
  } finally {
    stop.abort()
    await product.remove()
    await store.close()
    await database.drop()
  }
}, 900_000)

/** Milliseconds after the due time, or after the start of the process if that was later. */
const latenessIn = (events: readonly RunEvent[], starts: readonly number[]): number[] => {
  const found: number[] = []
  let until: number | undefined
  for (const { type, data, metadata } of events) {
    if (type === 'FlowDelayStarted') until = Date.parse(data.until)
    if (type !== 'FlowStepTaken' || data.type !== 'delay' || until === undefined) continue
    const at = Date.parse(metadata.recordedAt)
    const started = starts.findLast((moment) => moment <= at) ?? 0
    found.push(at - Math.max(until, started))
  }
  return found
}
