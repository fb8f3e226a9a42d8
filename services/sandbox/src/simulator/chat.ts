import type { MessageKind, MessageStatus, SimulatedFile } from '@prosa/contracts/http/simulator'
import { forgetOldest } from '../phone/receiver.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'

/** A message as a phone keeps it. */
export interface ChatMessage {
  id: string
  fromMe: boolean
  /** The number of who wrote it. */
  author: string
  kind: MessageKind
  text: string
  /** ISO 8601 */
  at: string
  status: MessageStatus
  file?: SimulatedFile
  /** The WhatsApp message that carries the file (protobuf, base64), to send it and to open it. */
  content?: string
  quoted?: { id: string; text: string; author: string }
  /** By the number of who reacted. */
  reactions: Record<string, string>
  editedAt?: string
  deleted?: boolean
  /** Read while the phone was offline: the sender has not been notified yet. */
  owesReadReceipt?: boolean
}

/** State files of before may lack what came later. */
type SavedMessage = Partial<ChatMessage> & Pick<ChatMessage, 'id' | 'fromMe' | 'text' | 'at' | 'status'>

export type ChatState = [partner: string, messages: SavedMessage[]]

const RANK: Record<MessageStatus, number> = { recusada: 4, enviando: 0, enviada: 1, entregue: 2, lida: 3 }
/** A phone keeps this many messages of a chat. */
const MAX_KEPT = 2000

/** The messages a phone exchanged with one number or group, oldest first, each id once. */
export class Chat {
  readonly partner: string
  readonly #messages: Map<string, ChatMessage>
  #last?: ChatMessage

  /** @param own the number of the phone */
  constructor(partner: string, own: string, changes: StateChanges, messages: SavedMessage[] = []) {
    this.partner = partner
    this.#messages = new RecordedMap(changes.at('messages'), (message) => message)
    changes.set('isOpen', () => true)
    for (const saved of messages) {
      this.add({ author: saved.fromMe ? own : partner, kind: 'text', reactions: {}, ...saved })
    }
  }

  get isGroup() {
    return this.partner.endsWith('@g.us')
  }

  messages(): ChatMessage[] {
    return [...this.#messages.values()]
  }

  find(id: string): ChatMessage | undefined {
    return this.#messages.get(id)
  }

  last(): ChatMessage | undefined {
    return this.#last
  }

  unread(): ChatMessage[] {
    return this.messages().filter(({ fromMe, status }) => !fromMe && status !== 'lida')
  }

  /** A repeated id changes nothing. */
  add(message: ChatMessage) {
    if (this.#messages.has(message.id)) return
    this.#messages.set(message.id, message)
    this.#last = message
    forgetOldest(this.#messages, MAX_KEPT)
  }

  /** Ticks only ever advance: a late "delivered" does not undo "read". False when there is no such message (yet). */
  advance(id: string, status: MessageStatus): boolean {
    const message = this.#messages.get(id)
    if (message && RANK[status] > RANK[message.status]) this.#change(message, { status })
    return message !== undefined
  }

  /** `emoji` null takes the reaction of this number back. */
  react(id: string, number: string, emoji: string | null) {
    const message = this.#messages.get(id)
    if (!message) return
    const { [number]: _, ...others } = message.reactions
    this.#change(message, { reactions: emoji ? { ...message.reactions, [number]: emoji } : others })
  }

  /** Everything from the other side is read now, and its sender has to be notified. */
  read() {
    for (const message of this.unread()) this.#change(message, { status: 'lida', owesReadReceipt: true })
  }

  /** The messages whose senders were not notified yet that they were read; they count as notified from here on. */
  takeOwedReceipts(): ChatMessage[] {
    const owed = this.messages().filter(({ owesReadReceipt }) => owesReadReceipt)
    for (const message of owed) this.#change(message, { owesReadReceipt: undefined })
    return owed
  }

  /** The author changed the text of the message; `text` null: took it back for everyone. */
  correct(id: string, author: string, text: string | null, at: string) {
    const message = this.#messages.get(id)
    if (!message || message.author !== author || message.deleted) return
    if (text !== null) this.#change(message, { text, editedAt: at })
    else this.#change(message, { text: '', deleted: true, file: undefined, content: undefined, reactions: {} })
  }

  /** In its place, and taken down. */
  #change(message: ChatMessage, changed: Partial<ChatMessage>) {
    this.#messages.set(message.id, Object.assign(message, changed))
  }
}
