import { erasedText } from '@prosa/contracts/values/personal'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { type KiwifyBody, readKiwifyBody } from '../kiwify/read-body.ts'

export type ReceivedDelivery = Pick<StoredOf<'DeliveryReceived'>, 'stream' | 'data' | 'metadata'>

/** Throws if the stream has no first event. */
export type FindReceived = (stream: string) => Promise<ReceivedDelivery>

export const receivedDeliveries =
  ({ store, codec }: Pick<Ports, 'store' | 'codec'>): FindReceived =>
  async (stream) => {
    for await (const page of store.read(stream))
      for (const event of await codec.decode(page.slice(0, 1))) if (event.type === 'DeliveryReceived') return event
    throw new Error('the first event of a delivery is not DeliveryReceived')
  }

export const isBodyGone = ({ data }: Pick<ReceivedDelivery, 'data'>): boolean => data.body === erasedText

/** The bytes may have been erased. */
export const bodyOf = (received: Pick<ReceivedDelivery, 'data'>): KiwifyBody =>
  isBodyGone(received)
    ? { state: 'ignored', reason: 'body_gone', kind: null, emails: [] }
    : readKiwifyBody(Buffer.from(received.data.body, 'base64'))
