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
  /** Waits until nothing is under way, or moves any more. What was lost or doubled, by kind. */
  close(): Promise<Record<string, readonly string[]>>
  /** How many there were. */
  count(): number
}

const settleMs = 120_000
const againMs = 50

/** Until `open()` is 0, or has not changed for as long as anything may take. */
const untilSettled = async (open: () => Promise<number> | number): Promise<void> => {
  let moved = { at: performance.now(), left: Number.NaN }
  await until(async () => {
    const left = await open()
    if (left !== moved.left) moved = { at: performance.now(), left }
    return left === 0 || performance.now() > moved.at + settleMs
  }, 900_000)
}

const everyPersonMs = 500
/** Else a slow machine would be measured by its backlog. */
const maxUnanswered = 10

/** New people write a flow's word; each is to get one answer. */
export const peopleInFlow = async (visitor: Visitor, network: SandboxServer, shopNumber: string): Promise<Load> => {
  const answer = 'Hoje: pão de queijo.'
  const flow = await visitor.post<{ id: string }>('/api/flows', {
    name: 'Cardápio',
    document: keywordFlow('cardápio', answer),
  })
  await visitor.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
  const answers = new Map<string, number>()
  let isOpen = true
  let latest = 0
  const ask = async (index: number) => {
    const number = `55117${String(70_000_000 + index)}`
    const person = network.addPhone(number, `Cliente ${index}`)
    const askedAt = performance.now()
    answers.set(number, 0)
    person.on('message', ({ text }) => {
      if (text !== answer) return
      answers.set(number, (answers.get(number) ?? 0) + 1)
      latest = Math.max(latest, askedAt)
    })
    await person.sendText(shopNumber, 'cardápio')
  }
  const those = (isMeant: (count: number) => boolean) =>
    [...answers].flatMap(([number, count]) => (isMeant(count) ? [number] : []))
  const unanswered = () => those((count) => count === 0)
  const asking = (async () => {
    for (let index = 0; isOpen; index++) {
      await ask(index)
      await delay(everyPersonMs)
      while (isOpen && unanswered().length >= maxUnanswered) await delay(againMs)
    }
  })()
  return {
    worksSince: (moment) => latest > moment,
    count: () => answers.size,
    async close() {
      isOpen = false
      await asking
      await untilSettled(() => unanswered().length)
      return { unansweredByFlow: unanswered(), doubledByFlow: those((count) => count > 1) }
    },
  }
}

const everyReportMs = 300

/** Like Kiwify, repeated until 2xx; each comes once more. */
export const kiwifyReports = async (product: Product): Promise<Load> => {
  const { store } = product.ports
  await offerSamplePlan(product.ports)
  const reported: string[] = []
  let isOpen = true
  let latest = 0
  const isTaken = (ref: string) =>
    reportOrder(product, ref, {}).then(
      () => true,
      // Refused or cut off while a process is down: Kiwify reports again.
      () => false,
    )
  const reporting = (async () => {
    for (let index = 0; isOpen; index++) {
      const ref = `order-${index}`
      reported.push(ref)
      const began = performance.now()
      for (const _ of ['first', 'again']) while (!(await isTaken(ref))) await delay(againMs)
      latest = began
      await delay(everyReportMs)
    }
  })()
  const timesOf = async (type: string) => {
    const times = new Map<string, number>()
    for await (const { events } of store.readAll(beginning, { categories: ['webhookDelivery'] }))
      for (const event of events) if (event.type === type) times.set(event.stream, (times.get(event.stream) ?? 0) + 1)
    return times
  }
  const wrong = async (type: string) => {
    const times = await timesOf(type)
    const doubled = [...times].flatMap(([stream, count]) => (count > 1 ? [`${stream}: ${count} times`] : []))
    return times.size === reported.length ? doubled : [`${times.size} of ${reported.length}`, ...doubled]
  }
  return {
    worksSince: (moment) => latest > moment,
    count: () => reported.length,
    async close() {
      isOpen = false
      await reporting
      await untilSettled(async () => reported.length - (await timesOf('DeliveryApplied')).size)
      return { reportsReceived: await wrong('DeliveryReceived'), reportsApplied: await wrong('DeliveryApplied') }
    },
  }
}
