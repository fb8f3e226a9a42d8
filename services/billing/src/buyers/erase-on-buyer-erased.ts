import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Ports } from '@prosa/kernel/ports'
import type { EraseBuyer } from './erase-buyer.ts'

const name = 'erase-on-buyer-erased'

/** Later events are not part of this erasure. */
const waitingAt = async ({ store, codec }: Pick<Ports, 'store' | 'codec'>, stream: string, revision: bigint) => {
  const [waiting, deliveryIds, orderIds] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for await (const page of store.read(stream))
    for (const event of await codec.decode(page)) {
      if (event.revision > revision) return { waiting, deliveryIds, orderIds }
      if (event.type === 'PurchaseWaiting') waiting.add(event.data.orderId)
      if (event.type === 'BuyerDeliverySeen') deliveryIds.add(event.data.deliveryId)
      if (event.type === 'BuyerOrderSeen') orderIds.add(event.data.orderId)
    }
  return { waiting, deliveryIds, orderIds }
}

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
      await erase.waiting(await waitingAt(ports, event.stream, event.revision), contextFor(name, event))
    },
  },
})
