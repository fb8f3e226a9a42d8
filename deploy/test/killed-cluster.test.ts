import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { hasRedis } from '../src/cluster/redis.ts'
import { type ProcessName, processNames } from '../src/topology/processes.ts'
import { busyShop } from './busy-shop.ts'
import { kiwifyReports, peopleInFlow } from './cluster-load.ts'
import { type ClusteredProduct, startClusteredProduct } from './clustered-product.ts'
import { durableDatabase } from './durable-database.ts'
import { followingSockets } from './following-sockets.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { summaryOf } from './recoveries.ts'
import { Visitor } from './visitor.ts'

const rounds = Number(process.env.PROSA_ROUNDS) || 20
/** Then nothing more is killed: a machine with other work does fewer. */
const maxMs = 60_000 * (Number(process.env.PROSA_MINUTES) || 100)
const crowd = 8
const socketCount = Number(process.env.PROSA_SOCKETS) || 100
/** Longer than the pause before another start grows (`pauseBeforeStart`). */
const betweenKillsMs = 65_000
const recoveryMs = 600_000

const missing = [(await installedCaddy()) ? '' : 'no caddy', (await hasRedis()) ? '' : 'no redis-server'].filter(
  Boolean,
)
const skipped = missing.length > 0 ? ` (skipped: ${missing.join(', ')})` : ''

const isReady = (url: string) =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Without an answer it counts as trouble. */
const hasRedisTrouble = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) })
    .then((reply) => reply.json() as Promise<{ trouble: object }>)
    .then(
      ({ trouble }) => 'redis' in trouble,
      () => true,
    )

/** Of processes that people or Kiwify ask something that nobody else answers. */
const asked = ({ url }: ClusteredProduct, { email, password }: Visitor) => ({
  pageOpens: () =>
    fetch(url, { signal: AbortSignal.timeout(15_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  signsIn: () =>
    new Visitor(url).ask('POST', '/api/auth/login', { email, password }).then(
      ({ status }) => status === 200,
      () => false,
    ),
})

type Works = (moment: number) => boolean | Promise<boolean>

/** In turns: each kind has several instances, or one. */
const victimsOf = (product: ClusteredProduct, kind: string): { id: string; pid: number | null; url?: string }[] => [
  ...product.processes().filter(({ name }) => name === kind),
  ...product.beside().filter(({ id }) => id === kind),
]

type Kind = ProcessName | 'caddy' | 'redis' | 'postgres'
const everyKind: readonly Kind[] = [...processNames, 'caddy', 'redis', 'postgres']
const named = process.env.PROSA_KINDS?.split(',')
for (const kind of named ?? []) if (!everyKind.some((each) => each === kind)) throw new Error(`PROSA_KINDS: ${kind}?`)
const kinds = everyKind.filter((kind) => named?.includes(kind) ?? true)

it.skipIf(skipped)(
  `loses and doubles nothing when a process of each kind is killed ${rounds} times, while people write and are answered, flows answer, Kiwify reports and ${socketCount} sockets are open, which miss nothing${skipped}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-killed-cluster-'))
    // As root, data in a closed folder would be moved elsewhere and stay.
    await chmod(folder, 0o711)
    const database = await durableDatabase(folder, 600)
    // A killed process's sockets count for 15 s beside those that came back.
    const maxSockets = 4 * Math.max(250, socketCount)
    const budgets = { socketsPerSession: maxSockets, socketsPerAddress: maxSockets }
    const product = await startClusteredProduct({ database, budgets }).catch(async (error: unknown) => {
      await database.stop()
      throw error
    })
    try {
      const { whatsapp } = product
      const marina = await new Visitor(product.url).register()
      const rita = await new Visitor(product.url).register()
      const shop = whatsapp.addPhone('5511900000001', 'Padaria Sol')
      const kiosk = whatsapp.addPhone('5511900000002', 'Quiosque')
      const people = Array.from({ length: crowd }, (_, index) =>
        whatsapp.addPhone(`55119880000${10 + index}`, `Pessoa ${index}`),
      )
      const { id } = await marina.link(shop)
      await rita.link(kiosk)
      const sockets = await followingSockets(product, marina, socketCount)
      const chat = busyShop('5511900000001', id, marina, people)
      const flows = await peopleInFlow(rita, whatsapp, '5511900000002')
      const reports = await kiwifyReports(product)
      const { pageOpens, signsIn } = asked(product, rita)
      const answered: Works = chat.answeredSince
      const whole: Works = (moment) => answered(moment) && flows.worksSince(moment) && reports.worksSince(moment)
      const isConnected = () => sockets.areConnected()
      const ofSockets = () => product.processes().filter(({ name }) => name === 'realtime')
      const works: Record<Kind, Works> = {
        projections: answered,
        identity: async (moment) => answered(moment) && (await signsIn()),
        billing: reports.worksSince,
        contacts: answered,
        automation: flows.worksSince,
        sessions: (moment) => answered(moment) && flows.worksSince(moment),
        realtime: isConnected,
        // Without Kafka it publishes nothing.
        streams: async () =>
          (await Promise.all(victimsOf(product, 'streams').map(({ url = '' }) => isReady(url)))).every(Boolean),
        web: pageOpens,
        caddy: async (moment) => whole(moment) && isConnected() && (await pageOpens()),
        // Meanwhile everything else goes on.
        redis: async (moment) =>
          answered(moment) &&
          (await Promise.all(ofSockets().map(({ url }) => hasRedisTrouble(url)))).every((has) => !has),
        postgres: async (moment) => whole(moment) && isConnected() && (await signsIn()),
      }
      const kill = (kind: Kind, round: number): string => {
        if (kind === 'postgres') {
          database.kill()
          return kind
        }
        const found = victimsOf(product, kind)
        const victim = found[round % found.length]
        if (!victim?.pid) throw new Error(`no process of ${kind} runs`)
        process.kill(victim.pid, 'SIGKILL')
        return victim.id
      }
      const allReady = async () =>
        (await Promise.all(product.processes().map(({ url }) => isReady(url)))).every(Boolean)
      const recoveries = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
      await until(() => whole(0), recoveryMs)
      const over = performance.now() + maxMs
      for (let round = 0; round < rounds && performance.now() < over; round++) {
        const roundBegan = performance.now()
        for (const kind of kinds) {
          if (performance.now() > over) break
          await delay(Math.random() * 500)
          const began = performance.now()
          const victim = kill(kind, round)
          // Only then it is noticed.
          if (kind === 'realtime' || kind === 'caddy')
            await until(() => !isConnected() || performance.now() > began + 1000)
          if (kind === 'redis' || kind === 'streams') await delay(200)
          await until(() => works[kind](began), recoveryMs).catch(() => {
            const parts = {
              answered: answered(began),
              flows: flows.worksSince(began),
              reports: reports.worksSince(began),
            }
            const state = JSON.stringify({ ...parts, socketsConnected: isConnected() })
            throw new Error(`${victim} was killed, and not all works again after ${recoveryMs / 1000} s: ${state}`)
          })
          const recovery = performance.now() - began
          recoveries.get(kind)?.push(recovery)
          const goal = await sockets.goal()
          await until(() => sockets.missing(goal).length === 0, recoveryMs)
          const knownAfter = performance.now() - began
          console.log(
            `${round + 1} of ${rounds}: ${victim}, works again after ${Math.round(recovery)} ms, sockets know all after ${Math.round(knownAfter)} ms`,
          )
          await until(allReady, recoveryMs)
        }
        await delay(Math.max(0, roundBegan + betweenKillsMs - performance.now()))
      }
      const { written, answered: answers, pictures, ...ofChat } = await chat.close(120_000)
      const others = await Promise.all([flows, reports].map((load) => load.close()))
      const goal = await sockets.goal()
      // Those that are left are counted below.
      await until(() => sockets.missing(goal).length === 0, recoveryMs).catch(() => undefined)
      const strays: Record<string, readonly string[]> = { ...ofChat, missedBySockets: sockets.missing(goal) }
      Object.assign(strays, ...others)
      sockets.close()
      noteMeasurements('A process of each kind killed, in a cluster', {
        written,
        answered: answers,
        pictures,
        'people in the flow': flows.count(),
        'reports of Kiwify': reports.count(),
        sockets: socketCount,
        ...Object.fromEntries(Object.entries(strays).map(([kind, those]) => [kind, those.length])),
        ...Object.fromEntries(
          [...recoveries].map(([kind, times]) => [`${kind}, until it works again, p50 / max ms`, summaryOf(times)]),
        ),
      })
      expect(strays).toEqual(Object.fromEntries(Object.keys(strays).map((kind) => [kind, []])))
      expect(answers).toBe(written)
      const { store, codec, pool } = product.ports
      expect(await readModelsAgainstLog({ store, codec }, pool)).toEqual([])
    } finally {
      await product.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  7_200_000,
)
