import type { FileKind, MessageStatus } from '@prosa/contracts/http/simulator'
import { generateMessageIDV2, jidDecode, type proto } from '@whiskeysockets/baileys'
import type { FileDetails, MediaKind } from '../phone/attachments.ts'
import type { Activity, Phone } from '../phone/phone.ts'
import type { Correction, IncomingMessage, ReceiptUpdate } from '../phone/phone-events.ts'
import { forgetOldest } from '../phone/receiver.ts'
import type { StateChanges } from '../server/state-changes.ts'
import { Chat, type ChatMessage, type ChatState } from './chat.ts'
import { decodeContent, nameOfKind, quotedIn, quotedText, readContent, writeContent } from './chat-content.ts'

const EARLY_TICKS = 100
const TICKS: Record<string, MessageStatus> = { delivered: 'entregue', read: 'lida', played: 'lida' }
/** Timeout of typing without an explicit stop. */
const ACTIVITY_MS = 25_000
type Shown = Exclude<Activity, 'paused'>

export interface FileToSend extends Omit<FileDetails, 'contextInfo' | 'ptt'> {
  kind: FileKind
  data: Buffer
}

export interface WriteOptions {
  quotedId?: string
  /** Milliseconds since 1970; default now. */
  at?: number
}

export interface PhoneChatsEvents {
  changed(): void
  received(chat: string, message: ChatMessage): void
}

export class PhoneChats {
  readonly phone: Phone
  readonly #chats = new Map<string, Chat>()
  readonly #events: PhoneChatsEvents
  readonly #changes: StateChanges
  /** Being encrypted: going online must not send these twice. */
  readonly #leaving = new Set<string>()
  /** Receipts that overtook the copy of a companion's message. */
  readonly #early = new Map<string, MessageStatus>()
  readonly #active = new Map<string, { state: Shown; timer: NodeJS.Timeout }>()

  constructor(phone: Phone, events: PhoneChatsEvents, changes: StateChanges, state: ChatState[] = []) {
    this.phone = phone
    this.#changes = changes
    this.#events = events
    for (const [partner, messages] of state) this.#chatWith(partner, messages)
    phone.on('message', (message) => this.#onMessage(message))
    phone.on('correction', (correction) => this.#onCorrection(correction))
    phone.on('receipt', (receipt) => this.#onReceipt(receipt))
    phone.on('ack', ({ id, error }) => this.#onAck(id, error))
    phone.on('typing', ({ from, state }) => this.#onActivity(from, state))
    phone.on('online', () => this.#catchUp())
    phone.on('offline', events.changed)
    if (phone.online) this.#catchUp()
  }

  chats(): Chat[] {
    return [...this.#chats.values()]
  }

  chat(partner: string): Chat | undefined {
    return this.#chats.get(partner)
  }

  activityOf(partner: string): Shown | null {
    return this.#active.get(partner)?.state ?? null
  }

  open(partner: string) {
    this.#chatWith(partner)
    this.#events.changed()
  }

  /** While the phone is offline the message waits. */
  write(partner: string, text: string, options: WriteOptions = {}): ChatMessage {
    return this.#add(partner, { kind: 'text', text }, options)
  }

  async sendFile(partner: string, file: FileToSend, options: WriteOptions = {}): Promise<ChatMessage> {
    const { kind, data, ...details } = file
    const asVoice = kind === 'voice'
    const mediaKind: MediaKind = asVoice ? 'audio' : kind
    const message = await this.phone.attach(mediaKind, data, { ...details, ...(asVoice && { ptt: true }) })
    const content = readContent(message)
    if (!content) throw new Error('a file that no chat window can show')
    return this.#add(partner, content, options)
  }

  async fileOf(partner: string, id: string): Promise<Buffer | undefined> {
    const content = this.#chats.get(partner)?.find(id)?.content
    return content === undefined ? undefined : this.phone.download(decodeContent(content))
  }

  /** The phone has to be online. */
  async edit(partner: string, id: string, text: string) {
    await this.phone.editMessage(partner, id, text)
    this.#chatWith(partner).correct(id, this.phone.number, text, new Date().toISOString())
    this.#events.changed()
  }

  /** Deletes for everyone. The phone has to be online. */
  async delete(partner: string, id: string) {
    await this.phone.deleteMessage(partner, id)
    this.#chatWith(partner).correct(id, this.phone.number, null, new Date().toISOString())
    this.#events.changed()
  }

  /** Null removes the reaction. The phone has to be online. */
  async react(partner: string, { id, author }: ChatMessage, emoji: string | null) {
    await this.phone.react(partner, { id, from: author }, emoji)
    this.#chatWith(partner).react(id, this.phone.number, emoji)
    this.#events.changed()
  }

  /** Receipts are sent once the phone is online. */
  read(partner: string) {
    const chat = this.#chats.get(partner)
    chat?.read()
    if (chat && this.phone.online) this.#sendReadReceipts(chat)
    this.#events.changed()
  }

  forget() {
    this.#changes.clear()
    this.close()
  }

  close() {
    for (const { timer } of this.#active.values()) clearTimeout(timer)
  }

  #chatWith(partner: string, messages?: ChatState[1]): Chat {
    const chat = this.#chats.get(partner) ?? new Chat(partner, this.phone.number, this.#changes.at(partner), messages)
    this.#chats.set(partner, chat)
    return chat
  }

  #add(partner: string, content: ReturnType<typeof readContent> & object, { quotedId, at }: WriteOptions): ChatMessage {
    const chat = this.#chatWith(partner)
    const quoted = quotedId === undefined ? undefined : chat.find(quotedId)
    const message: ChatMessage = {
      id: generateMessageIDV2(),
      fromMe: true,
      author: this.phone.number,
      ...content,
      at: new Date(at ?? Date.now()).toISOString(),
      status: 'enviando',
      quoted: quoted && { id: quoted.id, text: quoted.text || nameOfKind(quoted.kind), author: quoted.author },
      reactions: {},
    }
    chat.add(message)
    if (this.phone.online) this.#send(partner, message)
    this.#events.changed()
    return message
  }

  #catchUp() {
    for (const { partner, message } of this.#all()) {
      if (message.fromMe && message.status === 'enviando' && !message.deleted) this.#send(partner, message)
    }
    for (const chat of this.chats()) this.#sendReadReceipts(chat)
    this.#events.changed()
  }

  #send(partner: string, message: ChatMessage) {
    const { id } = message
    if (this.#leaving.has(id)) return
    this.#leaving.add(id)
    this.#hand(partner, message)
      .then(() => this.#chatWith(partner).advance(id, 'enviada')) // same tick: no snapshot holds one without the other
      // It stays `enviando`, as on a real phone, and is retried when the phone goes online.
      .catch((error: Error) => process.emitWarning(`message not sent: ${error.message}`))
      .finally(() => {
        this.#leaving.delete(id)
        this.#events.changed()
      })
  }

  async #hand(partner: string, message: ChatMessage) {
    const { id, content, at, quoted } = message
    const context = quoted && this.phone.quote({ id: quoted.id, from: quoted.author, text: quoted.text })
    const type = content === undefined ? 'text' : 'media'
    await this.phone.send(partner, writeContent(message, context), { id, type, at: Date.parse(at) })
  }

  #sendReadReceipts(chat: Chat) {
    const { partner } = chat
    for (const { id, author, kind } of chat.takeOwedReceipts()) {
      const type = kind === 'voice' ? 'played' : 'read'
      const group = partner.endsWith('@g.us') ? partner : undefined
      if (this.phone.knows(author)) this.phone.markRead({ id, from: author }, type, group)
    }
  }

  #all() {
    return this.chats().flatMap((chat) => chat.messages().map((message) => ({ partner: chat.partner, message })))
  }

  #onMessage({ id, from, to, message, at }: IncomingMessage) {
    const fromMe = from === this.phone.number
    const partner = to?.endsWith('@g.us') ? to : fromMe ? to : from
    if (partner === undefined) return
    const { reactionMessage } = message
    if (reactionMessage?.key?.id) {
      this.#chats.get(partner)?.react(reactionMessage.key.id, from, reactionMessage.text || null)
      return this.#events.changed()
    }
    const content = readContent(message)
    if (!content) return
    const chat = this.#chatWith(partner)
    const received: ChatMessage = {
      id,
      fromMe,
      author: from,
      ...content,
      at: new Date(at).toISOString(),
      status: fromMe ? (this.#early.get(id) ?? 'enviada') : 'entregue',
      quoted: this.#quoted(chat, message),
      reactions: {},
    }
    this.#early.delete(id)
    this.#onActivity(from, 'paused')
    chat.add(received)
    if (!fromMe) this.#events.received(partner, received)
    this.#events.changed()
  }

  #quoted(chat: Chat, message: proto.IMessage): ChatMessage['quoted'] {
    const quoted = quotedIn(message)
    if (!quoted) return undefined
    const known = chat.find(quoted.id)
    if (known) return { id: known.id, text: known.text || nameOfKind(known.kind), author: known.author }
    const author = this.phone.numberOf(quoted.participant) ?? jidDecode(quoted.participant)?.user ?? ''
    return { id: quoted.id, text: quotedText(message), author }
  }

  #onCorrection({ id, from, to, message, at }: Correction) {
    const partner = to?.endsWith('@g.us') ? to : from === this.phone.number ? to : from
    if (partner === undefined) return
    const text = message === undefined ? null : (readContent(message)?.text ?? '')
    this.#chats.get(partner)?.correct(id, from, text, new Date(at).toISOString())
    this.#events.changed()
  }

  #onAck(id: string, error: string | undefined) {
    if (error === undefined) return
    for (const chat of this.#chats.values()) chat.advance(id, 'recusada')
    this.#events.changed()
  }

  #onActivity(from: string, state: string) {
    const before = this.#active.get(from)
    clearTimeout(before?.timer)
    this.#active.delete(from)
    if (state === 'composing' || state === 'recording') {
      const timer = setTimeout(() => this.#onActivity(from, 'paused'), ACTIVITY_MS).unref()
      this.#active.set(from, { state, timer })
    }
    if (before?.state !== this.activityOf(from)) this.#events.changed()
  }

  #onReceipt({ id, from, type }: ReceiptUpdate) {
    const status = TICKS[type]
    if (!status) return
    const known =
      this.#chats.get(from)?.advance(id, status) || this.#groups().some((group) => group.advance(id, status))
    if (!known) {
      this.#early.set(id, status)
      forgetOldest(this.#early, EARLY_TICKS)
    }
    this.#events.changed()
  }

  #groups(): Chat[] {
    return this.chats().filter((chat) => chat.isGroup)
  }
}
