import { SandboxServer } from '@prosa/sandbox/server/server'
import { paced, sharedNow } from './paced.ts'

/** What this process is ordered to do, one after the other; it answers each with what stands beside it. */
export type Order =
  /** A number with its phone; nothing. */
  | { do: 'add'; number: string; name: string }
  /** Links a device by the text of its QR code; nothing. */
  | { do: 'scan'; number: string; qr: string }
  /** Each writer in turn sends a message, evenly over the time: `Sent[]`. */
  | { do: 'write'; writers: readonly Writer[]; rate: number; seconds: number }

export interface Writer {
  from: string
  to: string
}

/** One press on 'send': who, and when by `sharedNow`. */
export interface Sent {
  from: string
  at: number
}

/** WhatsApp's server and every phone, in a process of their own: what they take does not hold up who measures. */
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
