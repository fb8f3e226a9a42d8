/** Who wrote a message and, if we did, how far it has got; ticks only move forward, whatever order the receipts come in. */
export type Progress = 'queued' | 'failed' | 'sent' | 'delivered' | 'read' | 'elsewhere' | 'received'

const order: readonly Progress[] = ['queued', 'failed', 'sent', 'delivered', 'read', 'elsewhere', 'received']

/**
 * A chat may hold 100,000 messages: one number holds how far a message got, and at which revision of the stream its words
 * stand.
 */
export type KnownMessage = number & { readonly known: unique symbol }

export const knownMessage = (revision: number, progress: Progress): KnownMessage =>
  (revision * 8 + order.indexOf(progress)) as KnownMessage

export const progressOf = (message: KnownMessage): Progress => order[message % 8] ?? 'received'

export const revisionOf = (message: KnownMessage): number => Math.floor(message / 8)

export const isFurther = (progress: Progress, than: Progress): boolean => order.indexOf(progress) > order.indexOf(than)

/** Who wrote it: `user` is the own side. */
export const writerOf = (message: KnownMessage): 'user' | 'contact' =>
  progressOf(message) === 'received' ? 'contact' : 'user'
