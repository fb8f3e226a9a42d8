import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { startEmbeddedPostgres } from '@prosa/kernel/postgres/embedded-postgres'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { io } from 'socket.io-client'
import { productProcess } from '../test/product-process.ts'
import { Visitor } from '../test/visitor.ts'

/**
 * From a person's press on 'send' to the push in the attendant's browser: phone, WhatsApp server, Baileys, log, contact,
 * read models, socket. The phones, the WhatsApp server and the browser's socket live in this process, the product in one of
 * its own. Beside it, in the same run and at the same rate, a bare Socket.IO echo.
 */
const rates = [50, 200]
const seconds = 10
const people = 200
/** A subscriber of the size that hears 200 messages a second has more than one number. */
const lines = ['5511900000001', '5511900000002', '5511900000003', '5511900000004']
const lineOf = (person: number) => lines[person % lines.length] ?? ''

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const summary = (latencies: number[]) => {
  const sorted = latencies.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

/** Calls `send` `rate` times a second for the whole time, evenly, whatever each call takes. */
const paced = async (rate: number, send: (count: number) => void) => {
  const start = performance.now()
  for (let count = 0; count < rate * seconds; count++) {
    const wait = start + (count * 1000) / rate - performance.now()
    if (wait > 1) await delay(wait)
    send(count)
  }
}

const measureEcho = async (rate: number): Promise<number[]> => {
  const child = fork(join(import.meta.dirname, 'echo-process.ts'), { execArgv: ['--import', 'tsx'] })
  const [port] = await once(child, 'message')
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true })
  await once(socket as unknown as NodeJS.EventEmitter, 'connect')
  const latencies: number[] = []
  socket.on('echo', (stamp: number) => latencies.push(performance.now() - stamp))
  await paced(rate, () => socket.emit('echo', performance.now()))
  await until(() => latencies.length === rate * seconds)
  socket.close()
  child.disconnect()
  return latencies
}

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const network = new SandboxServer({ fewPreKeys: true })
await network.start()
const product = await productProcess(postgres.url, network.url)

try {
  const attendant = await new Visitor(product.url).register()
  for (const [index, number] of lines.entries())
    await attendant.link(network.addPhone(number, `Loja ${index}`), `Loja ${index}`)
  const socket = attendant.socket()
  await until(() => socket.connected)

  const waiting = new Map<string, (at: number) => void>()
  socket.on('whatsapp:new_message', ({ contactId }) => {
    waiting.get(contactId)?.(performance.now())
    waiting.delete(contactId)
  })
  const phones = Array.from({ length: people }, (_, index) =>
    network.addPhone(`551198800${String(1000 + index)}`, `Pessoa ${index}`),
  )
  for (const [index, phone] of phones.entries()) await phone.sendText(lineOf(index), 'oi')
  await until(
    async () => (await attendant.get<{ waiting: number }>('/api/whatsapp/contact-counts')).waiting === people,
    60_000,
  )
  const contacts = await attendant.all<Contact>('/api/whatsapp/contacts?status=waiting')
  const contactOf = new Map(contacts.map(({ id, phone }) => [phone, id]))
  await delay(1000)

  console.log('messages/s  what                     p50 ms   p99 ms   times the echo (p50, p99)')
  for (const rate of rates) {
    const echo = summary(await measureEcho(rate))
    const latencies: number[] = []
    let unanswered = 0
    await paced(rate, (count) => {
      const phone = phones[count % people]
      const contactId = phone && contactOf.get(phone.account.number)
      if (!phone || !contactId) throw new Error('a phone without a contact')
      const started = performance.now()
      if (waiting.has(contactId)) unanswered++
      waiting.set(contactId, (at) => latencies.push(at - started))
      void phone.sendText(lineOf(count % people), `mensagem ${count}`)
    })
    await until(() => waiting.size === 0, 10_000).catch(() => undefined)
    const inbound = summary(latencies)
    const row = (what: string, { p50, p99 }: typeof echo, note = '') =>
      console.log(
        `${String(rate).padEnd(11)} ${what.padEnd(24)} ${p50.toFixed(2).padStart(6)} ${p99.toFixed(2).padStart(8)}   ${note}`,
      )
    row('Socket.IO echo', echo)
    row('inbound to browser', inbound, `${(inbound.p50 / echo.p50).toFixed(1)}, ${(inbound.p99 / echo.p99).toFixed(1)}`)
    console.log(
      `            pushed ${latencies.length} of ${rate * seconds}; ${unanswered} were overtaken by the next message of the same person, ${waiting.size} never pushed`,
    )
  }
  socket.close()
} finally {
  await product.kill()
  await network.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
