import type { MessageKind, MessageStatus, SimulatedFile } from '@prosa/contracts/http/simulator'
import { forgetOldest } from '../phone/receiver.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'

export interface ChatMessage {
  id: string
  fromMe: boolean
  author: string
  kind: MessageKind
  text: string
  /** ISO 8601 */
  at: string
  status: MessageStatus
  file?: SimulatedFile
  /** The WhatsApp message with the file (protobuf, base64). */
  content?: string
  quoted?: { id: string; text: string; author: string }
  /** By number. */
  reactions: Record<string, string>
  editedAt?: string
  deleted?: boolean
  /** Read while offline: the receipt is still to be sent. */
  owesReadReceipt?: boolean
}

/** Older state files lack newer fields. */
type SavedMessage = Partial<ChatMessage> & Pick<ChatMessage, 'id' | 'fromMe' | 'text' | 'at' | 'status'>

export type ChatState = [partner: string, messages: SavedMessage[]]

const RANK: Record<MessageStatus, number> = { recusada: 4, enviando: 0, enviada: 1, entregue: 2, lida: 3 }
const MAX_MESSAGES = 2000

/** Oldest first, each id once. */
export class Chat {
  readonly partner: string
  readonly #messages: Map<string, ChatMessage>
  #last?: ChatMessage

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

  /** Idempotent. */
  add(message: ChatMessage) {
    if (this.#messages.has(message.id)) return
    this.#messages.set(message.id, message)
    this.#last = message
    forgetOldest(this.#messages, MAX_MESSAGES)
  }

  /** Statuses only advance. False when there is no such message (yet). */
  advance(id: string, status: MessageStatus): boolean {
    const message = this.#messages.get(id)
    if (message && RANK[status] > RANK[message.status]) this.#change(message, { status })
    return message !== undefined
  }

  react(id: string, number: string, emoji: string | null) {
    const message = this.#messages.get(id)
    if (!message) return
    const { [number]: _, ...others } = message.reactions
    this.#change(message, { reactions: emoji ? { ...message.reactions, [number]: emoji } : others })
  }

  read() {
    for (const message of this.unread()) this.#change(message, { status: 'lida', owesReadReceipt: true })
  }

  takeOwedReceipts(): ChatMessage[] {
    const owed = this.messages().filter(({ owesReadReceipt }) => owesReadReceipt)
    for (const message of owed) this.#change(message, { owesReadReceipt: undefined })
    return owed
  }

  /** `text` null: deleted for everyone. */
  correct(id: string, author: string, text: string | null, at: string) {
    const message = this.#messages.get(id)
    if (!message || message.author !== author || message.deleted) return
    if (text !== null) this.#change(message, { text, editedAt: at })
    else this.#change(message, { text: '', deleted: true, file: undefined, content: undefined, reactions: {} })
  }

  #change(message: ChatMessage, changed: Partial<ChatMessage>) {
    this.#messages.set(message.id, Object.assign(message, changed))
  }
}
