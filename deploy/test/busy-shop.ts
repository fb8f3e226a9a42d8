import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import type { MediaAccepted } from '@prosa/contracts/http/media'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { digestOf, pictureOf } from './pictures.ts'
import type { Visitor } from './visitor.ts'

export interface Tally {
  written: number
  answered: number
  pictures: number
  lostInbound: string[]
  doubledInbound: string[]
  lostOutbound: string[]
  doubledOutbound: string[]
  /** Captions of pictures that are missing or differ. */
  spoiledPictures: string[]
}

const answerTo = (text: string) => `resposta a ${text}`
/** Derived from the question, so that a retry cannot send twice. */
const messageIdFor = (text: string) =>
  `3EB0${createHash('sha256').update(text).digest('hex').slice(0, 18).toUpperCase()}`

/** Pictures are never answered by pictures. */
const thirdOf = (question: string) => Number(question.split(' ').at(-1)) % 3
const isPicture = (question: string) => thirdOf(question) === 0
const isAnsweredByPicture = (question: string) => thirdOf(question) === 1

const maxUnanswered = 3
const statuses = ['waiting', 'attending', 'resolved'] as const

/** The attendant answers every message exactly once, with text or pictures, despite faults. */
export const busyShop = (shopNumber: string, connectionId: string, attendant: Visitor, people: Phone[]) => {
  const askedAt = new Map<string, number>()
  const received = new Map<string, number>()
  const answered = new Set<string>()
  const uploads = new Map<string, string>()
  const pictures = new Map<string, string>()
  let latestAnswered = 0
  let writing = true
  let serving = true

  for (const person of people)
    person.on('message', ({ text, message }) => {
      received.set(text, (received.get(text) ?? 0) + 1)
      latestAnswered = Math.max(latestAnswered, askedAt.get(text.slice(answerTo('').length)) ?? 0)
      if (!message.imageMessage) return
      person.download(message).then(
        (bytes) => pictures.set(text, digestOf(bytes)),
        (error: unknown) => pictures.set(text, String(error)),
      )
    })

  const ask = (person: Phone, text: string) =>
    isPicture(text)
      ? person.sendMedia(shopNumber, 'image', pictureOf(text), { mimetype: 'image/png', caption: text })
      : person.sendText(shopNumber, text)

  const writes = async (person: Phone) => {
    const own: string[] = []
    while (writing) {
      const text = `${person.account.name} ${own.length}`
      own.push(text)
      askedAt.set(text, performance.now())
      await ask(person, text)
      await delay(500 + Math.random() * 1500)
      while (writing && own.filter((asked) => !received.has(answerTo(asked))).length >= maxUnanswered) await delay(50)
    }
  }

  const contacts = async (): Promise<Contact[]> =>
    (await Promise.all(statuses.map((status) => attendant.contacts(status)))).flat()

  const allMessages = async (): Promise<Message[]> => {
    const found: Message[] = []
    for (const { id } of await contacts())
      found.push(...(await attendant.all<Message>(`/api/whatsapp/contacts/${id}/messages`)))
    return found
  }

  /** An upload without a reply may have succeeded: two files, one message. */
  const uploadFor = async (question: string): Promise<string> => {
    const known = uploads.get(question)
    if (known) return known
    const { id } = await attendant.post<MediaAccepted>('/api/whatsapp/media', pictureOf(answerTo(question)))
    uploads.set(question, id)
    return id
  }

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
          ...(isAnsweredByPicture(content) && { media: { id: await uploadFor(content), as: 'image' } }),
        })
        if (reply.status === 202) answered.add(content)
      }
    }
  }

  const serve = async () => {
    while (serving) {
      // Requests fail while the product is killed; retries have the same message id.
      await answerAll().catch(() => serving)
      await delay(200)
    }
  }

  const work = Promise.all([...people.map(writes), serve()])

  const lookAtPictures = async (messages: readonly Message[]) => {
    for (const { sender, content, media } of messages)
      if (sender === 'contact' && media?.status === 'ready' && !pictures.has(content))
        pictures.set(content, digestOf(await attendant.bytes(`/api/whatsapp/media/${media.id}`)))
  }

  const counts = async (): Promise<Tally> => {
    const messages = await allMessages()
    const stored = new Map<string, number>()
    for (const { sender, content } of messages)
      if (sender === 'contact') stored.set(content, (stored.get(content) ?? 0) + 1)
    await lookAtPictures(messages)
    const written = [...askedAt.keys()]
    const captions = [
      ...written.filter(isPicture),
      ...[...answered].filter(isAnsweredByPicture).map((question) => answerTo(question)),
    ]
    const spoiledPictures = captions.filter((caption) => pictures.get(caption) !== digestOf(pictureOf(caption)))
    return {
      written: written.length,
      answered: answered.size,
      pictures: captions.length - spoiledPictures.length,
      lostInbound: written.filter((text) => !stored.has(text)),
      doubledInbound: [...stored].filter(([, count]) => count > 1).map(([text]) => text),
      lostOutbound: [...answered].filter((text) => !received.has(answerTo(text))),
      doubledOutbound: [...received].filter(([, count]) => count > 1).map(([text]) => text),
      spoiledPictures,
    }
  }

  return {
    /** A message written after `moment` (`performance.now()`) was answered and received. */
    answeredSince: (moment: number) => latestAnswered > moment,
    async close(stillMs = 30_000): Promise<Tally> {
      writing = false
      let moved = { at: performance.now(), open: '' }
      await until(async () => {
        const tally = await counts().catch(() => undefined)
        if (!tally) return false
        const left = tally.lostInbound.length + tally.lostOutbound.length + tally.spoiledPictures.length
        const open = `${tally.answered} ${left}`
        if (open !== moved.open) moved = { at: performance.now(), open }
        const isDone = tally.answered === tally.written && left === 0
        return isDone || performance.now() > moved.at + stillMs
      }, 900_000)
      serving = false
      await work
      return counts()
    },
  }
}
