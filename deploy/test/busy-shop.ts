import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import type { SandboxServer } from '@prosa/sandbox/server/server'
import type { Visitor } from './visitor.ts'

/** What the people and the shop should have, against what they have. */
export interface Tally {
  written: number
  answered: number
  lostInbound: string[]
  doubledInbound: string[]
  lostOutbound: string[]
  doubledOutbound: string[]
}

const answerTo = (text: string) => `resposta a ${text}`
/** The same question always gets the same message id, so that asking again cannot send twice. */
const messageIdFor = (text: string) =>
  `3EB0${createHash('sha256').update(text).digest('hex').slice(0, 18).toUpperCase()}`

const mostUnanswered = 3

/** Ten (or so) people who write to a shop, and an attendant who answers every message once, whatever happens meanwhile. */
export const busyShop = (
  network: SandboxServer,
  shopNumber: string,
  connectionId: string,
  attendant: Visitor,
  people: Phone[],
) => {
  const written: string[] = []
  const heard = new Map<string, number>()
  const answered = new Set<string>()
  let writing = true
  let serving = true

  for (const person of people)
    person.on('message', ({ text }) => {
      heard.set(text, (heard.get(text) ?? 0) + 1)
    })

  const writes = async (person: Phone) => {
    const own: string[] = []
    while (writing) {
      const text = `${person.account.name} ${own.length}`
      own.push(text)
      written.push(text)
      await person.sendText(shopNumber, text)
      await delay(500 + Math.random() * 1500)
      // People wait for answers: otherwise a slow machine would have more to catch up with after every fault.
      while (writing && own.filter((asked) => !heard.has(answerTo(asked))).length >= mostUnanswered) await delay(50)
    }
  }

  const contacts = async (): Promise<Contact[]> =>
    (
      await Promise.all((['waiting', 'attending', 'resolved'] as const).map((status) => attendant.contacts(status)))
    ).flat()

  const allMessages = async (): Promise<Message[]> =>
    (
      await Promise.all(
        (await contacts()).map(({ id }) => attendant.all<Message>(`/api/whatsapp/contacts/${id}/messages`)),
      )
    ).flat()

  /** An attendant looks at the list, and opens the chats in which the contact spoke last. */
  const answerAll = async () => {
    for (const { id, lastMessage } of await contacts()) {
      if (!lastMessage) continue
      for (const { sender: author, content, contactId } of await attendant.messages(id)) {
        if (author !== 'contact' || answered.has(content)) continue
        const reply = await attendant.ask('POST', '/api/whatsapp/send-message', {
          connectionId,
          contactId,
          message: answerTo(content),
          messageId: messageIdFor(content),
        })
        if (reply.status === 202) answered.add(content)
      }
    }
  }

  const serve = async () => {
    while (serving) {
      // The product is killed again and again: a request that fails is made again, with the same message id.
      await answerAll().catch(() => serving)
      await delay(200)
    }
  }

  const work = Promise.all([...people.map(writes), serve()])

  const counts = async (): Promise<Tally> => {
    const stored = new Map<string, number>()
    for (const { sender, content } of await allMessages())
      if (sender === 'contact') stored.set(content, (stored.get(content) ?? 0) + 1)
    return {
      written: written.length,
      answered: answered.size,
      lostInbound: written.filter((text) => !stored.has(text)),
      doubledInbound: [...stored].filter(([, count]) => count > 1).map(([text]) => text),
      lostOutbound: [...answered].filter((text) => !heard.has(answerTo(text))),
      doubledOutbound: [...heard].filter(([, count]) => count > 1).map(([text]) => text),
    }
  }

  return {
    /** How many answers have reached people. */
    heard: () => heard.size,
    /** Everybody stops writing; resolves with the tally once all is answered and arrived, or when nothing moves any more. */
    async close(stillMilliseconds = 30_000): Promise<Tally> {
      writing = false
      let moved = { at: performance.now(), open: '' }
      await until(async () => {
        const tally = await counts().catch(() => undefined)
        if (!tally) return false
        const { lostInbound, lostOutbound } = tally
        const open = `${tally.answered} ${lostInbound.length} ${lostOutbound.length}`
        if (open !== moved.open) moved = { at: performance.now(), open }
        const isDone = tally.answered === tally.written && lostInbound.length + lostOutbound.length === 0
        return isDone || performance.now() > moved.at + stillMilliseconds
      }, 600_000)
      serving = false
      await work
      return counts()
    },
    network,
  }
}
