import { setTimeout as delay } from 'node:timers/promises'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { type ProcessName, processNames } from '../src/topology/processes.ts'
import { busyShop } from './busy-shop.ts'
import { kiwifyReports, openSockets, peopleInFlow, probes } from './cluster-load.ts'
import { startClusteredProduct } from './clustered-product.ts'
import { readModelsAgainstLog } from './read-models-against-log.ts'
import { isReady } from './service-processes.ts'
import { Visitor } from './visitor.ts'

const isLong = shortOrLong(0, 1) === 1
const rounds = Number(process.env.PROSA_ROUNDS) || shortOrLong(1, 20)
const crowd = shortOrLong(3, 8)
const socketCount = shortOrLong(10, 100)

const summary = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other)
  const [middle = 0, max = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `${Math.round(middle)} / ${Math.round(max)}`
}

it(`loses and doubles nothing when a process of each kind is killed ${rounds} times, while people write and are answered, flows answer, Kiwify reports and ${socketCount} sockets are open`, async () => {
  const product = await startClusteredProduct({ budgets: { socketsPerSession: 1000, socketsPerAddress: 1000 } })
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
    const sockets = await openSockets(marina, socketCount)
    const chat = busyShop('5511900000001', id, marina, people)
    const flows = await peopleInFlow(rita, whatsapp, '5511900000002')
    const reports = await kiwifyReports(product)
    const page = probes(async () => (await fetch(product.url)).ok)
    const signIn = probes(async () => {
      const { email, password } = rita
      return (await new Visitor(product.url).ask('POST', '/api/auth/login', { email, password })).status === 200
    })
    const answered = chat.answeredSince
    const recovers: Record<ProcessName, (moment: number) => boolean> = {
      projections: answered,
      identity: signIn.worksSince,
      billing: reports.worksSince,
      contacts: answered,
      automation: flows.worksSince,
      sessions: answered,
      realtime: sockets.areConnected,
      web: page.worksSince,
    }
    const recoveries = new Map<string, number[]>(processNames.map((name) => [name, []]))
    await until(() => answered(0) && processNames.every((name) => recovers[name](0)), 120_000)
    for (let round = 0; round < rounds; round++)
      for (const name of processNames) {
        const kind = product.processes().filter((each) => each.name === name)
        const victim = kind[round % kind.length]
        if (!victim?.pid) throw new Error(`no process of ${name} runs`)
        await delay(Math.random() * 500)
        const began = performance.now()
        process.kill(victim.pid, 'SIGKILL')
        if (name === 'realtime') await until(() => !sockets.areConnected() || performance.now() - began > 1000)
        await until(() => recovers[name](began), 120_000)
        const recovery = performance.now() - began
        recoveries.get(name)?.push(recovery)
        if (isLong) console.log(`${round + 1} of ${rounds}: ${victim.id}, works again after ${Math.round(recovery)} ms`)
        await until(() => isReady(Number(new URL(victim.url).port)), 120_000)
      }
    const { written, answered: answers, pictures: _, ...ofChat } = await chat.close(isLong ? 120_000 : 90_000)
    const others = await Promise.all([flows, reports, page, signIn].map((load) => load.close()))
    await until(sockets.areConnected, 60_000)
    sockets.close()
    const strays: Record<string, readonly string[]> = Object.assign({ ...ofChat }, ...others)
    noteMeasurements('A process of each kind killed, in a cluster', {
      'kills of each kind': rounds,
      written,
      answered: answers,
      sockets: socketCount,
      ...Object.fromEntries(Object.entries(strays).map(([kind, those]) => [kind, those.length])),
      ...Object.fromEntries(
        [...recoveries].map(([name, times]) => [`${name}, until it works again, p50 / max ms`, summary(times)]),
      ),
    })
    expect(strays).toEqual(Object.fromEntries(Object.keys(strays).map((kind) => [kind, []])))
    expect(answers).toBe(written)
    const { store, codec, pool } = product.ports
    expect(await readModelsAgainstLog({ store, codec }, pool)).toEqual([])
  } finally {
    await product.stop()
  }
}, 3_600_000)
