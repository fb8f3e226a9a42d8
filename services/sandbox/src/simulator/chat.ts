import type { MessageStatus, SimulatedMessage } from './simulator-contract.ts'

/** A message as a phone keeps it. */
export interface ChatMessage extends SimulatedMessage {
  /** Read while the phone was offline: the sender has not been told yet. */
  owesReadReceipt?: boolean
}

export type ChatState = [partner: string, messages: ChatMessage[]]

const RANK: Record<MessageStatus, number> = { enviando: 0, enviada: 1, entregue: 2, lida: 3 }

/** The messages a phone exchanged with one number, oldest first, each id once. */
export class Chat {
  readonly partner: string
  readonly #messages = new Map<string, ChatMessage>()

  constructor(partner: string, messages: ChatMessage[] = []) {
    this.partner = partner
    for (const message of messages) this.#messages.set(message.id, message)
  }

  state(): ChatState {
    return [this.partner, this.messages()]
  }

  messages(): ChatMessage[] {
    return [...this.#messages.values()]
  }

  last(): ChatMessage | undefined {
    return this.messages().at(-1)
  }

  unread(): ChatMessage[] {
    return this.messages().filter(({ fromMe, status }) => !fromMe && status !== 'lida')
  }

  /** A repeated id changes nothing. */
  add(message: ChatMessage) {
    if (!this.#messages.has(message.id)) this.#messages.set(message.id, message)
  }

  /** Ticks only ever advance: a late "delivered" does not undo "read". False when there is no such message (yet). */
  advance(id: string, status: MessageStatus): boolean {
    const message = this.#messages.get(id)
    if (message && RANK[status] > RANK[message.status]) message.status = status
    return message !== undefined
  }
}
