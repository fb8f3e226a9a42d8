import type { EventType } from '@prosa/contracts/events/all-events'
import type { HistoryDifference, HistoryIcon } from '@prosa/contracts/http/history'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

/** An event as the timeline shows it, in Portuguese, without a full stop. */
export interface Sentence {
  text: string
  icon: HistoryIcon
  /** Where the event itself has both. */
  differences?: readonly HistoryDifference[]
}

/**
 * Names of things, by their ids. What has no name, or none any more, comes as words for it: 'uma conta', '[apagado]'; a long id
 * never comes back whole.
 */
export interface Names {
  /** Who did it: 'Ana Souza', 'Kiwify', 'WhatsApp', 'Prosa (prazo)', 'Sistema'. */
  actor: string
  user(userId: string): string
  contact(contactId: string): string
  connection(connectionId: string): string
  /** With its article: 'a etiqueta “VIP”', 'uma etiqueta excluída'. */
  label(labelId: string): string
  /** The reference that buyer and Kiwify know the order by. */
  order(orderId: string): string
}

type SentenceOf<T extends EventType> = (event: StoredOf<T>, names: Names) => Sentence

/** A sentence for each of these types of event: where one is missing, it does not compile. */
export type Sentences<T extends PropertyKey> = { [K in T & EventType]: SentenceOf<K> }

/** The same words for every event of a type. */
export const always =
  (icon: HistoryIcon, text: string): (() => Sentence) =>
  () => ({ text, icon })
