import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { type KiwifyBody, readKiwifyBody } from '../kiwify/read-body.ts'

export type ReceivedDelivery = Pick<StoredOf<'DeliveryReceived'>, 'stream' | 'data' | 'metadata'>

/** Throws if nothing was received in the stream. */
export type FindReceived = (stream: string) => Promise<ReceivedDelivery>

const received: Reader<StoredOf<'DeliveryReceived'>, ReceivedDelivery | undefined> = {
  initial: undefined,
  evolve: { DeliveryReceived: (_, __, event) => event },
}

export const receivedDeliveries =
  (ports: Pick<Ports, 'store' | 'codec'>): FindReceived =>
  async (stream) => {
    // Not cached: the bytes may be erased meanwhile.
    const found = await readFold(ports, 'webhookDelivery', received).load(parseStream(stream).id, null)
    if (!found) throw new Error('a delivery was never received')
    return found
  }

export const isBodyGone = ({ data }: Pick<ReceivedDelivery, 'data'>): boolean => data.body === erasedText

/** The bytes may have been erased. */
export const bodyOf = (received: Pick<ReceivedDelivery, 'data'>): KiwifyBody =>
  isBodyGone(received)
    ? { state: 'ignored', reason: 'body_gone', kind: null, emails: [] }
    : readKiwifyBody(Buffer.from(received.data.body, 'base64'))
