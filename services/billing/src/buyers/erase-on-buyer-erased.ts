import { parseStream } from '@prosa/contracts/streams'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import type { Entitlement } from '../purchases/entitlement.ts'
import type { EraseBuyer } from './erase-buyer.ts'

const name = 'erase-on-buyer-erased'

type Waiting = Pick<Entitlement, 'waiting' | 'deliveryIds' | 'orderIds'>

/** Later events are not part of the erasure. */
const waitingAt = (
  last: bigint,
): Reader<StoredOf<'PurchaseWaiting' | 'BuyerDeliverySeen' | 'BuyerOrderSeen'>, Waiting> => ({
  initial: { waiting: new Set(), deliveryIds: new Set(), orderIds: new Set() },
  evolve: {
    PurchaseWaiting: (state, { orderId }, { revision }) =>
      revision > last ? state : { ...state, waiting: new Set(state.waiting).add(orderId) },
    BuyerDeliverySeen: (state, { deliveryId }, { revision }) =>
      revision > last ? state : { ...state, deliveryIds: new Set(state.deliveryIds).add(deliveryId) },
    BuyerOrderSeen: (state, { orderId }, { revision }) =>
      revision > last ? state : { ...state, orderIds: new Set(state.orderIds).add(orderId) },
  },
})

/** By administrators; for accounts see `forget-buyer-on-user-erased`. */
export const eraseOnBuyerErased = (
  ports: Pick<Ports, 'store' | 'codec'>,
  erase: Pick<EraseBuyer, 'waiting'>,
): Reactor => ({
  name,
  categories: ['entitlement'],
  key: ({ stream }) => stream,
  on: {
    async BuyerErased(event) {
      if (event.metadata.actor.kind !== 'admin') return
      const { load } = readFold(ports, 'entitlement', waitingAt(event.revision))
      await erase.waiting(await load(parseStream(event.stream).id, null), contextFor(name, event))
    },
  },
})
