import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact, Queue } from '@prosa/contracts/http/live-chat'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { expect, it } from 'vitest'
import { durableDatabase } from './durable-database.ts'
import { productProcess } from './product-process.ts'
import { shopFlow, shopTexts } from './shop-flow.ts'
import { type Reply, Visitor } from './visitor.ts'

const customers = shortOrLong(9, 40)
const kills = shortOrLong(1, 20)
const leaseMs = 3000
const [minLifeMs, maxLifeMs] = shortOrLong([500, 2000], [3000, 15_000])
/** Customers take their time, so that the kills find them everywhere. */
const maxPauseMs = shortOrLong(1000, 60_000)
const stepMs = shortOrLong(60_000, 300_000)
/** Nothing more came to anybody for so long. */
const quietMs = shortOrLong(4000, 15_000)
const shopNumber = '5511900000001'

const { menu, order, noted, address, person, notUnderstood, idea, silence, goodbye, thanks } = shopTexts

interface Script {
  /** What the customer writes, and then waits to receive. An attendant is asked for by `accept` and `resolve`. */
  steps: readonly (readonly [writes: string | 'accept' | 'resolve', receives: readonly string[]])[]
  ends: Queue
}

const scripts: Readonly<Record<string, Script>> = {
  'orders and thanks': {
    steps: [
      ['oi', [menu]],
      ['1', [order]],
      ['dez pães', [noted, goodbye]],
      ['obrigado!', [thanks]],
    ],
    ends: 'resolved',
  },
  'asks for the address by a word': {
    steps: [
      ['bom dia', [menu]],
      ['endereco', [address, goodbye]],
    ],
    ends: 'resolved',
  },
  'asks for a person, then twice whether anybody is there': {
    steps: [
      ['boa tarde', [menu]],
      ['3', [person]],
      ['alô?', []],
      ['oi, tem alguém aí?', []],
    ],
    ends: 'waiting',
  },
  'answers wrongly, then with an emoji': {
    steps: [
      ['oi', [menu]],
      ['pão de queijo', [notUnderstood]],
      ['2️⃣', [address, goodbye]],
      ['valeu', [thanks]],
    ],
    ends: 'resolved',
  },
  'is never understood': {
    steps: [
      ['oi', [menu]],
      ['hã', [notUnderstood]],
      ['como assim', [notUnderstood]],
      ['deixa', [person]],
      ['alô', []],
    ],
    ends: 'waiting',
  },
  'is silent': {
    steps: [
      ['oi', [menu]],
      ['4', [idea, silence]],
    ],
    ends: 'resolved',
  },
  'comes back after the finish with something else': {
    steps: [
      ['oi', [menu]],
      ['2', [address, goodbye]],
      ['vocês fazem bolo de casamento?', []],
    ],
    ends: 'waiting',
  },
  'is attended in the middle': {
    steps: [
      ['oi', [menu]],
      ['accept', []],
      ['1', []],
    ],
    ends: 'attending',
  },
  'is attended after asking for a person, and thanks': {
    steps: [
      ['oi', [menu]],
      ['atendente', [person]],
      ['accept', []],
      ['resolve', []],
      ['obrigada', []],
    ],
    ends: 'waiting',
  },
}

const statuses = ['waiting', 'bot', 'attending', 'resolved'] as const
const bot = new Set<string>(Object.values(shopTexts))
/** The menu's text comes with its options. */
const knownText = (text: string) => [...bot].find((each) => text === each || text.startsWith(`${each}\n`)) ?? text

it(`each of ${customers} customers receives what the bot owes and nothing else, while the product is killed ${kills} times`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-shop-day-'))
  // As root, data in a closed folder would be moved elsewhere and stay.
  await chmod(folder, 0o711)
  const database = await durableDatabase(folder)
  const network = new SandboxServer({ fewPreKeys: true })
  await network.start()
  const product = await productProcess(database.url, network.url, { filesDir: join(folder, 'files'), leaseMs })
  try {
    const attendant = await new Visitor(product.url).register()
    await attendant.link(network.addPhone(shopNumber, 'Padaria Sol'))
    const { id: flowId } = await attendant.post<{ id: string }>('/api/flows', {
      name: 'Cardápio',
      document: shopFlow(),
    })
    await attendant.post(`/api/flows/${flowId}/publish`, { basedOn: 0 })

    const contactsOf = async (status: Queue) => {
      const { body } = await patiently(() => attendant.ask('GET', `/api/whatsapp/contacts?status=${status}`))
      return body as Contact[]
    }
    const contactOf = async (phone: Phone): Promise<Contact> =>
      until(async () => {
        for (const status of statuses)
          for (const contact of await contactsOf(status)) if (contact.name === phone.account.name) return contact
        return undefined
      }, stepMs)
    const attend = async (phone: Phone, what: 'accept' | 'resolve') => {
      const { id } = await contactOf(phone)
      const body = { status: what === 'accept' ? 'attending' : 'resolved' }
      const { status } = await patiently(() => attendant.ask('PATCH', `/api/whatsapp/contacts/${id}/status`, body))
      if (status !== 200) throw new Error(`${what}: ${status}`)
    }

    let lastReceived = performance.now()
    const names = Object.keys(scripts)
    const people = Array.from({ length: customers }, (_, index) => {
      const name = names[index % names.length] ?? ''
      const phone = network.addPhone(`55119880000${10 + index}`, `Cliente ${10 + index}`)
      const received: string[] = []
      phone.on('message', ({ text }) => {
        received.push(knownText(text))
        lastReceived = performance.now()
      })
      return { name, phone, received, script: scripts[name] as Script }
    })
    const lives = async ({ name, phone, received, script }: (typeof people)[number]) => {
      let due = 0
      for (const [writes, receives] of script.steps) {
        await delay(Math.random() * maxPauseMs)
        if (writes === 'accept' || writes === 'resolve') await attend(phone, writes)
        else await phone.sendText(shopNumber, writes)
        due += receives.length
        await until(() => received.length >= due, stepMs).catch((cause: unknown) => {
          throw new Error(`who ${name} wrote ${writes} and has only ${received.join(', ')}`, { cause })
        })
      }
    }

    const killed = async () => {
      for (let kill = 0; kill < kills; kill++) {
        await delay(minLifeMs + Math.random() * (maxLifeMs - minLifeMs))
        await product.kill()
        await product.start()
      }
    }
    const startedAt = performance.now()
    await Promise.all([...people.map(lives), killed()])
    await until(() => performance.now() - lastReceived > quietMs, stepMs)

    const ends = new Map<string, Queue>()
    for (const status of statuses)
      for (const contact of await attendant.all<Contact>(`/api/whatsapp/contacts?status=${status}`))
        ends.set(contact.name ?? '', status)
    const found = people.map(({ name, phone, received }) => ({ name, received, ends: ends.get(phone.account.name) }))
    expect(found).toEqual(
      people.map(({ name, script }) => ({
        name,
        received: script.steps.flatMap(([, receives]) => receives),
        ends: script.ends,
      })),
    )
    noteMeasurements("A shop's day with the bot", {
      customers,
      kills,
      'messages of the bot, each once': found.flatMap(({ received }) => received).length,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    })
  } finally {
    await product.remove()
    await network.stop()
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}, 1_800_000)

/** The process may be gone (fetch throws a TypeError) or starting (503). */
const patiently = (ask: () => Promise<Reply>): Promise<Reply> =>
  until(async () => {
    try {
      const reply = await ask()
      return reply.status !== 503 && reply
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }, stepMs)
