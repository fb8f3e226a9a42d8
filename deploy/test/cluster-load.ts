import { setTimeout as delay } from 'node:timers/promises'
import { offerSamplePlan } from '@prosa/billing/testing/offer-sample-plan'
import { beginning } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import type { SandboxServer } from '@prosa/sandbox/server/server'
import { keywordFlow } from './keyword-flow.ts'
import { reportOrder } from './kiwify-payment.ts'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

export interface Load {
  /** Something that began after `moment` (`performance.now()`) succeeded. */
  worksSince(moment: number): boolean
  /** What was lost or doubled, once nothing is under way. */
  close(): Promise<Record<string, readonly string[]>>
}

/** Repeats `work` until the signal aborts; a failure is tried again by `work` itself. */
const repeatedly = (everyMs: number, work: (round: number) => Promise<void>) => {
  const stopping = new AbortController()
  let latest = 0
  const running = (async () => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      const began = performance.now()
      await work(round)
      latest = Math.max(latest, began)
      await delay(everyMs)
    }
  })()
  return {
    worksSince: (moment: number) => latest > moment,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const succeeds = async (work: () => Promise<unknown>): Promise<void> => {
  while (
    !(await work().then(
      () => true,
      () => false,
    ))
  )
    await delay(50)
}

/** New people write a flow's word, one after another; each gets one answer. */
export const peopleInFlow = async (visitor: Visitor, network: SandboxServer, shopNumber: string): Promise<Load> => {
  const answer = 'Hoje: pão de queijo.'
  const flow = await visitor.post<{ id: string }>('/api/flows', {
    name: 'Cardápio',
    document: keywordFlow('cardápio', answer),
  })
  await visitor.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
  const answers = new Map<string, number>()
  const load = repeatedly(300, async (round) => {
    const number = `55117${String(70_000_000 + round)}`
    const person = network.addPhone(number, `Cliente ${round}`)
    answers.set(number, 0)
    person.on('message', ({ text }) => {
      if (text === answer) answers.set(number, (answers.get(number) ?? 0) + 1)
    })
    await person.sendText(shopNumber, 'cardápio')
    await until(() => answers.get(number) !== 0, 120_000)
  })
  return {
    worksSince: load.worksSince,
    async close() {
      await load.stop()
      const having = (isMeant: (count: number) => boolean) =>
        [...answers].flatMap(([number, count]) => (isMeant(count) ? number : []))
      return { unansweredByFlow: having((count) => count === 0), doubledByFlow: having((count) => count > 1) }
    },
  }
}

/** Like Kiwify, repeated until 2xx; each comes twice. */
export const kiwifyReports = async (product: Product): Promise<Load> => {
  const { store } = product.ports
  await offerSamplePlan(product.ports)
  const reported: string[] = []
  const load = repeatedly(200, async (round) => {
    const ref = `order-${round}`
    reported.push(ref)
    for (const _ of ['first', 'again']) await succeeds(() => reportOrder(product, ref, {}))
  })
  const recorded = async (types: readonly string[]) => {
    let count = 0
    for await (const { events } of store.readAll(beginning, { categories: ['webhookDelivery'] }))
      count += events.filter(({ type }) => types.includes(type)).length
    return count
  }
  return {
    worksSince: load.worksSince,
    async close() {
      await load.stop()
      await until(async () => (await recorded(['DeliveryApplied'])) >= reported.length, 60_000).catch(() => undefined)
      const [received, applied] = [await recorded(['DeliveryReceived']), await recorded(['DeliveryApplied'])]
      const wrong = (what: string, count: number) =>
        count === reported.length ? [] : [`${count} ${what} of ${reported.length}`]
      return { deliveriesReceived: wrong('received', received), deliveriesApplied: wrong('applied', applied) }
    },
  }
}

/** Connected as a whole since a moment, after they were cut or not. */
export const openSockets = async (visitor: Visitor, count: number) => {
  const sockets = Array.from({ length: count }, () => visitor.socket())
  const areConnected = () => sockets.every(({ connected }) => connected)
  await until(areConnected, 60_000)
  return {
    areConnected,
    connected: () => sockets.filter(({ connected }) => connected).length,
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Asked again and again, e.g. a page or a sign-in. */
export const probes = (ask: () => Promise<boolean>): Load => {
  const load = repeatedly(300, async () => {
    while (!(await ask().catch(() => false))) await delay(50)
  })
  return {
    worksSince: load.worksSince,
    async close() {
      await load.stop()
      return {}
    },
  }
}
