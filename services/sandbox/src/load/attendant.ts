/** A simulated attendant: reads every push, accepts every contact, answers every message once. */
import { setTimeout as delay } from 'node:timers/promises'
import { countHistory } from './count-history.ts'
import type { NetworkPhone } from './network.ts'
import {
  newMessageId,
  type Page,
  type ProductClient,
  type ProductConnection,
  type ProductContact,
  type ProductMessage,
} from './product-client.ts'
import { readQrCode } from './read-qr-code.ts'
import { answerOf, numberIn } from './texts.ts'

export interface AttendantOptions {
  client: ProductClient
  over: AbortSignal
  picture: Buffer
  isPicture: (number: number) => boolean
  /** False when the message was read before. */
  received: (number: number) => boolean
  /** Called before an answer; without it nothing is answered. */
  answered?: (number: number) => void
  failed: (error: unknown) => void
}

const POLL_MS = 100
const LINKING_MS = 120_000
const SENDING_AT_ONCE = 4
const RETRY_MS = 500
const LOOK_AGAIN_MS = 10_000
const RECENT_MS = 60_000

export class Attendant {
  readonly #options: AttendantOptions
  readonly #accepted = new Set<string>()
  readonly #known = new Set<number>()
  readonly #reading = new Map<string, { again: boolean }>()
  readonly #answers: { contactId: string; number: number }[] = []
  #sending = 0
  #connectionId = ''
  /** One upload for each chat: the product does not send a file to two. */
  readonly #uploaded = new Map<string, Promise<{ id: string }>>()

  constructor(options: AttendantOptions) {
    this.#options = options
  }

  async link(phone: NetworkPhone, name: string) {
    const { client, over } = this.#options
    const added = await client.addConnection(name)
    this.#connectionId = added.id
    const deadline = performance.now() + LINKING_MS
    let scanned: string | null = null
    for (;;) {
      const connections = await client.get<ProductConnection[]>('/api/whatsapp/connections')
      const connection = connections.find(({ id }) => id === added.id)
      if (connection?.status === 'connected') break
      if (connection?.qrCode && connection.qrCode !== scanned) {
        scanned = connection.qrCode
        // The QR code may have rotated: retry with the next.
        await phone.scan(readQrCode(scanned)).catch(this.#options.failed)
      }
      if (performance.now() > deadline) throw new Error(`${name} was not linked within ${LINKING_MS / 1000} s`)
      await delay(POLL_MS)
    }
    await client.listen((event, push) => {
      if (event === 'whatsapp:new_message') this.#read((push as { contactId: string }).contactId)
    }, over)
    void this.#poll()
  }

  count(counts: Uint8Array): Promise<void> {
    return countHistory(this.#options.client, counts)
  }

  /** Pushes may be missed; like the web app, this polls the lists. */
  async #poll() {
    const { over, failed } = this.#options
    while (!over.aborted) {
      await delay(LOOK_AGAIN_MS, undefined, { signal: over }).catch(() => undefined)
      if (over.aborted) return
      await this.#readRecent().catch(failed)
    }
  }

  async #readRecent() {
    const { client } = this.#options
    const found: ProductContact[] = []
    for (const status of ['waiting', 'attending'])
      for await (const page of client.pages<ProductContact>(`/api/whatsapp/contacts?status=${status}`))
        found.push(...page)
    const latest = Math.max(...found.map(({ lastActivity }) => Date.parse(lastActivity)))
    for (const { id, lastActivity, lastMessage } of found) {
      const last = lastMessage?.sender === 'contact' ? numberIn(lastMessage.content) : undefined
      const isUnread = last !== undefined && !this.#known.has(last)
      if (isUnread || Date.parse(lastActivity) > latest - RECENT_MS) this.#read(id)
    }
  }

  #read(contactId: string) {
    const reading = this.#reading.get(contactId)
    if (reading) {
      reading.again = true
      return
    }
    const state = { again: false }
    this.#reading.set(contactId, state)
    this.#readChat(contactId)
      .catch(async (error: unknown) => {
        this.#options.failed(error)
        state.again = true
        await delay(RETRY_MS)
      })
      .finally(() => {
        this.#reading.delete(contactId)
        if (state.again && !this.#options.over.aborted) this.#read(contactId)
      })
  }

  async #readChat(contactId: string) {
    const { client, received, answered } = this.#options
    const path = `/api/whatsapp/contacts/${contactId}/messages`
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<ProductMessage> = await client.page<ProductMessage>(
        cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path,
      )
      const numbers = page.items.flatMap(({ content, sender }) =>
        sender === 'contact' ? (numberIn(content) ?? []) : [],
      )
      const fresh = numbers.filter((number) => received(number))
      for (const number of fresh) this.#known.add(number)
      if (fresh.length && !this.#accepted.has(contactId)) {
        this.#accepted.add(contactId)
        await client.patch(`/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })
      }
      if (answered) for (const number of fresh) this.#answers.push({ contactId, number })
      this.#pump()
      cursor = fresh.length ? page.next : null
    }
  }

  #pump() {
    while (this.#sending < SENDING_AT_ONCE) {
      const next = this.#answers.shift()
      if (!next) return
      this.#sending++
      this.#answer(next.contactId, next.number)
        .catch(this.#options.failed)
        .finally(() => {
          this.#sending--
          this.#pump()
        })
    }
  }

  /** Retries under one id: an interrupted request may have been carried out. */
  async #answer(contactId: string, number: number) {
    const { client, over, answered, isPicture, failed } = this.#options
    const messageId = newMessageId()
    answered?.(number)
    while (!over.aborted) {
      try {
        const media = isPicture(number) ? { id: (await this.#upload(contactId)).id, as: 'image' } : undefined
        const body = { connectionId: this.#connectionId, contactId, message: answerOf(number), messageId, media }
        return await client.post('/api/whatsapp/send-message', body)
      } catch (error) {
        failed(error)
        await delay(RETRY_MS)
      }
    }
  }

  #upload(contactId: string): Promise<{ id: string }> {
    const known = this.#uploaded.get(contactId)
    if (known) return known
    const uploading = this.#options.client.upload(this.#options.picture)
    this.#uploaded.set(contactId, uploading)
    uploading.catch(() => this.#uploaded.delete(contactId))
    return uploading
  }
}
