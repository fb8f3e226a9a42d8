import { testPostgres } from '@prosa/kernel/postgres/testing'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import { runLoad } from '@prosa/sandbox/load/load'
import { networkHere } from '@prosa/sandbox/load/network-here'
import type { DirectionReport } from '@prosa/sandbox/load/tally'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { productProcess } from './product-process.ts'

const numbers = 50
const contacts = 10
/** Per number and direction. */
const messages = Number(process.env.PROSA_MESSAGES) || 200
/** Per second, over all numbers. */
const rate = Number(process.env.PROSA_RATE) || 60

const lateness = ({ late }: DirectionReport) => [late.p50, late.p99, late.max].map((ms) => Math.round(ms)).join(' / ')

it(`loses and doubles nothing while ${numbers} linked numbers get ${messages} messages each and answer them, some with pictures`, async () => {
  const database = await testPostgres()
  const network = new SandboxServer({ fewPreKeys: true })
  await network.start()
  const product = await productProcess(database.url, network.url)
  try {
    const seconds = (numbers * messages) / rate
    const began = performance.now()
    const { inbound, outbound, linkedInSeconds } = await runLoad({
      productUrl: product.url,
      network: networkHere(network),
      numbers,
      contacts,
      rate,
      seconds,
      pictures: 0.1,
      answers: true,
      timeoutSeconds: 60,
      progress: (line) => console.log(line),
    })
    noteMeasurements(`${numbers} linked numbers`, {
      'messages each way': inbound.sent,
      'numbers linked in, s': Math.round(linkedInSeconds),
      'written a second': rate,
      'everything read, answered and counted after, s': Math.round(
        (performance.now() - began) / 1000 - linkedInSeconds,
      ),
      'to the attendant, p50 / p99 / max ms': lateness(inbound),
      'to the phone, p50 / p99 / max ms': lateness(outbound),
      lost: inbound.lost + outbound.lost,
      doubled: inbound.doubled + outbound.doubled,
    })
    for (const direction of [inbound, outbound])
      expect(direction).toMatchObject({ sent: numbers * messages, arrived: numbers * messages, lost: 0, doubled: 0 })
  } finally {
    await product.remove()
    await network.stop()
    await database.drop()
  }
}, 36_000_000)
