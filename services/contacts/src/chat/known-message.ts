/** Ticks never move back, in any order of receipts. */
export type Progress = 'queued' | 'failed' | 'sent' | 'delivered' | 'read' | 'elsewhere' | 'received'

const order: readonly Progress[] = ['queued', 'failed', 'sent', 'delivered', 'read', 'elsewhere', 'received']

/** One number each: a chat may hold 100,000 messages. */
export type KnownMessage = number & { readonly known: unique symbol }

export const knownMessage = (revision: number, progress: Progress): KnownMessage =>
  (revision * 8 + order.indexOf(progress)) as KnownMessage

export const progressOf = (message: KnownMessage): Progress => order[message % 8] ?? 'received'

export const revisionOf = (message: KnownMessage): number => Math.floor(message / 8)

export const isFurther = (progress: Progress, than: Progress): boolean => order.indexOf(progress) > order.indexOf(than)

/** `user` is the tenant's side. */
export const writerOf = (message: KnownMessage): 'user' | 'contact' =>
  progressOf(message) === 'received' ? 'contact' : 'user'
