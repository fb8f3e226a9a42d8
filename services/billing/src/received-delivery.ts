import { erasedText } from '@prosa/contracts/values/personal'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { type KiwifyBody, readKiwifyBody } from './kiwify/read-body.ts'

export type ReceivedDelivery = Pick<StoredOf<'DeliveryReceived'>, 'stream' | 'data' | 'metadata'>

/** The first event of a delivery's stream, with its bytes as far as they can still be read. Throws where there is none. */
export type FindReceived = (stream: string) => Promise<ReceivedDelivery>

export const receivedDeliveries =
  ({ store, codec }: Pick<Ports, 'store' | 'codec'>): FindReceived =>
  async (stream) => {
    for await (const page of store.read(stream))
      for (const event of await codec.decode(page.slice(0, 1))) if (event.type === 'DeliveryReceived') return event
    throw new Error('a delivery begins with its receipt')
  }

export const isBodyGone = ({ data }: Pick<ReceivedDelivery, 'data'>): boolean => data.body === erasedText

/** What the stored bytes mean; they may have been erased meanwhile. */
export const bodyOf = (received: Pick<ReceivedDelivery, 'data'>): KiwifyBody =>
  isBodyGone(received)
    ? { state: 'ignored', reason: 'body_gone', kind: null, emails: [] }
    : readKiwifyBody(Buffer.from(received.data.body, 'base64'))
