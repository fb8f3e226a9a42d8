import type { EventType } from '@prosa/contracts/events/all-events'
import type { HistoryDifference, HistoryIcon } from '@prosa/contracts/http/history'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

/** Portuguese, without full stop. */
export interface Sentence {
  text: string
  icon: HistoryIcon
  /** If the event has both. */
  differences?: readonly HistoryDifference[]
}

/** By id. Missing names become words: 'uma conta', '[apagado]'; never a long id. */
export interface Names {
  /** 'Ana Souza', 'Kiwify', 'Prosa (prazo)'. */
  actor: string
  user(userId: string): string
  contact(contactId: string): string
  connection(connectionId: string): string
  /** With article: 'a etiqueta “VIP”', 'uma etiqueta excluída'. */
  label(labelId: string): string
  /** With article: 'o campo “Aniversário”', 'um campo excluído'. */
  field(fieldId: string): string
  order(orderId: string): string
  /** By key, `order:<id>`, with preposition: 'do pedido ABC1234', 'do contato Bia'. */
  ofRecord(key: string): string
}

type SentenceOf<T extends EventType> = (event: StoredOf<T>, names: Names) => Sentence

/** A missing type does not compile. */
export type Sentences<T extends PropertyKey> = { [K in T & EventType]: SentenceOf<K> }

export const always =
  (icon: HistoryIcon, text: string): (() => Sentence) =>
  () => ({ text, icon })
