import { once } from 'node:events'
import { join } from 'node:path'
import type { SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../testing/harness.ts'
import { LinkedNumber } from '../testing/linked-number.ts'
import { SimulatorChild } from '../testing/simulator-child.ts'
import { until } from '../testing/until.ts'

const ROUNDS = 2
const SHOP_NUMBER = '5511900000001'

class EchoShop {
  readonly number: LinkedNumber
  readonly #answers = new Map<string, string>()
  readonly stored = new Map<string, string>()
  readonly arrivals = new Map<string, number>()
  readonly #outbox = new Map<string, { chat: string; text: string }>()

  constructor(url: string, folder: string) {
    const getMessage = async ({ id }: { id?: string | null }) => ({ conversation: this.#answers.get(id ?? '') })
    const number = new LinkedNumber(url, folder, { getMessage })
    this.number = number
    number.on('serverAck', ({ id }) => this.#outbox.delete(id))
    number.on('arrived', ({ id }) => this.arrivals.set(id, (this.arrivals.get(id) ?? 0) + 1))
    number.on('open', () => this.#flush())
    number.on('upsert', ({ message: { key, message } }) => {
      const text = message?.conversation
      if (key.fromMe || !key.id || !key.remoteJid || !text || this.stored.has(key.id)) return
      this.stored.set(key.id, text)
      this.#answers.set(`ECO${key.id}`, `eco: ${text}`)
      this.#outbox.set(`ECO${key.id}`, { chat: key.remoteJid, text: `eco: ${text}` })
      this.#flush()
    })
  }

  /**
   * Stored, or delivered twice: when the connection dies between decryption and receipt, Baileys emits no event, and answers the copy with
   * error 487 (pkmsg) or a retry (msg).
   */
  received(id: string): boolean {
    return this.stored.has(id) || (this.arrivals.get(id) ?? 0) > 1
  }

  get settled() {
    return this.#outbox.size === 0
  }

  #flush() {
    for (const [messageId, { chat, text }] of this.#outbox) {
      this.number.socket.sendMessage(chat, { text }, { messageId }).catch(() => undefined)
    }
  }
}

test(`survives ${ROUNDS} kills at any moment: what was accepted arrives, and its answers once`, async () => {
  const folder = await temporaryFolder()
  const simulator = new SimulatorChild(join(folder, 'state.json'))
  onTestFinished(() => simulator.kill())
  await simulator.start()
  const shopPhone = await simulator.post<SimulatedPhone>('/phones', { name: 'Padaria Sol', number: SHOP_NUMBER })
  const people: SimulatedPhone[] = []
  for (const name of ['Ana', 'Bia', 'Caio']) {
    people.push(await simulator.post('/phones', { name, number: `1190000001${people.length}` }))
  }
  const shop = new EchoShop(simulator.url, join(folder, 'auth'))
  const { number } = shop
  onTestFinished(() => number.stop())
  const shown = once(number, 'qr')
  await number.start()
  const opened = once(number, 'open')
  await simulator.post(`/phones/${shopPhone.id}/scan`, { qr: (await shown)[0] })
  await opened
  const accepted = new Map<string, string>()
  const uncertain: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const enough = accepted.size + 3 + Math.floor(Math.random() * 6)
    const writing = people.map(async ({ id, name }) => {
      for (let index = 0; ; index++) {
        const text = `${name} ${round}.${index}`
        const sent = simulator.post<SimulatedMessage>(`/phones/${id}/chats/${SHOP_NUMBER}/messages`, { text })
        const survived = await sent.then(
          (message) => accepted.set(message.id, text).size > 0,
          () => uncertain.push(text) < 0, // killed before it answered: it may have arrived or not
        )
        if (!survived) return
      }
    })
    await until('some were accepted', () => accepted.size >= enough, 15_000)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    const back = once(number, 'open')
    await simulator.kill()
    await Promise.all(writing)
    await simulator.start()
    await back
    await until('everything accepted was received', () => [...accepted.keys()].every((id) => shop.received(id)), 20_000)
  }

  await until('everything stored was answered', () => shop.settled, 15_000)
  const texts = () => [...shop.stored.values()]
  for (const { id, name } of people) {
    const echoes = async () => {
      const chat = await simulator.messages(id, SHOP_NUMBER)
      return chat.filter(({ fromMe }) => !fromMe).map(({ text }) => text)
    }
    const expected = () => texts().flatMap((text) => (text.startsWith(name) ? `eco: ${text}` : []))
    await expect.poll(async () => (await echoes()).length === expected().length, { timeout: 15_000 }).toBe(true)
    expect((await echoes()).sort()).toEqual(expected().sort())
  }
  const known = new Set([...accepted.values(), ...uncertain])
  expect(texts().filter((text) => !known.has(text))).toEqual([])
  expect(new Set(texts()).size).toBe(shop.stored.size)
  expect(shop.stored.size).toBeGreaterThan(0)
}, 90_000)
