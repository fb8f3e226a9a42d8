import { SandboxServer } from '@prosa/sandbox/server/server'
import { paced, sharedNow } from './paced.ts'

export type Order =
  | { do: 'add'; number: string; name: string }
  | { do: 'scan'; number: string; qr: string }
  /** Writers alternate at an even rate; replies `Sent[]`. */
  | { do: 'write'; writers: readonly Writer[]; rate: number; seconds: number }

export interface Writer {
  from: string
  to: string
}

/** `at` by `sharedNow`. */
export interface Sent {
  from: string
  at: number
}

/** A process of its own, so that its load does not delay the measuring process. */
const network = new SandboxServer({ fewPreKeys: true })
await network.start()

const phoneOf = (number: string) => {
  const phone = network.phones.get(number)
  if (!phone) throw new Error(`nobody has the number ${number}`)
  return phone
}

const carryOut = async (order: Order): Promise<Sent[] | undefined> => {
  if (order.do === 'add') {
    network.addPhone(order.number, order.name)
    return undefined
  }
  if (order.do === 'scan') {
    await phoneOf(order.number).scan(order.qr)
    return undefined
  }
  const { writers, rate, seconds } = order
  const sent: Sent[] = []
  await paced(rate, seconds, (count) => {
    const writer = writers[count % writers.length]
    if (!writer) throw new Error('nobody to write')
    sent.push({ from: writer.from, at: sharedNow() })
    void phoneOf(writer.from).sendText(writer.to, `mensagem ${count}`)
  })
  return sent
}

process.on('message', async (order: Order) => process.send?.({ answer: await carryOut(order) }))
process.once('disconnect', () => process.exit(0))
process.send?.({ url: network.url })
