/** The chat windows of one simulated phone: records what the phone says and hears, and sends what waited. */
import { generateMessageIDV2, type proto } from '@whiskeysockets/baileys'
import type { IncomingMessage, Phone, ReceiptNews } from '../phone/phone.ts'
import { forgetOldest } from '../phone/receiver.ts'
import { Chat, type ChatMessage, type ChatState } from './chat.ts'
import type { MessageStatus } from './simulator-contract.ts'

const EARLY_TICKS = 100
const TICKS: Record<string, MessageStatus> = { delivered: 'entregue', read: 'lida' }

export class PhoneChats {
  readonly phone: Phone
  readonly #chats = new Map<string, Chat>()
  readonly #onChange: () => void
  /** Being encrypted right now: going online meanwhile must not send these twice. */
  readonly #leaving = new Set<string>()
  /** Ticks that overtook the copy of a message which a linked device wrote. */
  readonly #early = new Map<string, MessageStatus>()

  /** @param onChange called after every change of any chat and of the phone's own state */
  constructor(phone: Phone, onChange: () => void, state: ChatState[] = []) {
    this.phone = phone
    this.#onChange = onChange
    for (const [partner, messages] of state) this.#chats.set(partner, new Chat(partner, messages))
    phone.on('message', (message) => this.#onMessage(message))
    phone.on('receipt', (receipt) => this.#onReceipt(receipt))
    phone.on('online', () => this.#catchUp())
    phone.on('offline', onChange)
    if (phone.online) this.#catchUp()
  }

  state(): ChatState[] {
    return this.chats().map((chat) => chat.state())
  }

  chats(): Chat[] {
    return [...this.#chats.values()]
  }

  messagesWith(partner: string): ChatMessage[] {
    return this.#chats.get(partner)?.messages() ?? []
  }

  /** Writes to a number; while the phone is offline the message waits. Returns the message. */
  write(partner: string, text: string): ChatMessage {
    const message: ChatMessage = { id: generateMessageIDV2(), fromMe: true, text, at: now(), status: 'enviando' }
    this.#chatWith(partner).add(message)
    if (this.phone.online) this.#send(partner, message)
    this.#onChange()
    return message
  }

  /** Marks everything from this number as read; the sender hears of it when the phone is online. */
  read(partner: string) {
    for (const message of this.#chats.get(partner)?.unread() ?? []) {
      message.status = 'lida'
      message.owesReadReceipt = true
    }
    if (this.phone.online) this.#sendReadReceipts()
    this.#onChange()
  }

  #chatWith(partner: string): Chat {
    const chat = this.#chats.get(partner) ?? new Chat(partner)
    this.#chats.set(partner, chat)
    return chat
  }

  #catchUp() {
    for (const { partner, message } of this.#all()) {
      if (message.fromMe && message.status === 'enviando') this.#send(partner, message)
    }
    this.#sendReadReceipts()
    this.#onChange()
  }

  #send(partner: string, message: ChatMessage) {
    const { id, text } = message
    if (this.#leaving.has(id)) return
    this.#leaving.add(id)
    this.phone
      .sendText(partner, text, { id })
      // Same tick as the hand-over to the switch: no snapshot holds one without the other.
      .then(() => this.#chatWith(partner).advance(id, 'enviada'))
      // It stays `enviando`, as on a real phone, and is tried again when the phone goes online.
      .catch((error: Error) => process.emitWarning(`message not sent: ${error.message}`))
      .finally(() => {
        this.#leaving.delete(id)
        this.#onChange()
      })
  }

  #sendReadReceipts() {
    for (const { partner, message } of this.#all()) {
      if (!message.owesReadReceipt) continue
      message.owesReadReceipt = undefined
      if (this.phone.knows(partner)) this.phone.markRead({ id: message.id, from: partner })
    }
  }

  #all() {
    return this.chats().flatMap((chat) => chat.messages().map((message) => ({ partner: chat.partner, message })))
  }

  #onMessage({ id, from, to, message }: IncomingMessage) {
    const text = readableText(message)
    if (to?.endsWith('@g.us') || text === undefined) return
    const fromMe = from === this.phone.number
    const partner = fromMe ? to : from
    if (partner === undefined) return
    const status = fromMe ? (this.#early.get(id) ?? 'enviada') : 'entregue'
    this.#early.delete(id)
    this.#chatWith(partner).add({ id, fromMe, text, at: now(), status })
    this.#onChange()
  }

  #onReceipt({ id, from, type }: ReceiptNews) {
    const status = TICKS[type]
    if (!status) return
    if (!this.#chats.get(from)?.advance(id, status)) {
      this.#early.set(id, status)
      forgetOldest(this.#early, EARLY_TICKS)
    }
    this.#onChange()
  }
}

const now = () => new Date().toISOString()

/** What a chat window shows for a message; undefined for what is not shown as a message of its own. */
function readableText(message: proto.IMessage): string | undefined {
  const text = message.conversation ?? message.extendedTextMessage?.text
  if (text) return text
  if (message.imageMessage) return message.imageMessage.caption || '[imagem]'
  if (message.videoMessage) return message.videoMessage.caption || '[vídeo]'
  if (message.audioMessage) return '[áudio]'
  const document = message.documentMessage ?? message.documentWithCaptionMessage?.message?.documentMessage
  if (document) return document.caption || `[documento] ${document.fileName ?? ''}`.trim()
  if (message.stickerMessage) return '[figurinha]'
  if (message.locationMessage) return '[localização]'
  if (message.contactMessage) return '[contato]'
  return undefined
}
