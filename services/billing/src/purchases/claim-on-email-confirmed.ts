import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Ports } from '@prosa/kernel/ports'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import type { EraseBuyer } from '../buyers/erase-buyer.ts'
import type { BillingHandlers } from '../handlers.ts'
import { claimAddress, releaseAddress } from './purchase-process.ts'
import { stepRunner } from './run-steps.ts'

const name = 'claim-on-email-confirmed'

type Deps = Pick<Ports, 'store' | 'codec' | 'box'>

/** Undefined if left or erased since: late handling must not override the current holder's claim. */
const addressAt = async ({ store, codec }: Deps, stream: string, revision: bigint): Promise<string | undefined> => {
  let address: string | undefined
  for await (const page of store.read(stream))
    for (const event of await codec.decode(page)) {
      if (event.revision > revision && event.type === 'EmailChanged') return undefined
      if (event.revision > revision) continue
      if (event.type === 'UserRegistered' || event.type === 'EmailChanged') address = event.data.email
    }
  return address === erasedEmail ? undefined : address
}

/** Until the account leaves the address. A link opened elsewhere proves only the mailbox: the account may be a stranger's. */
export const claimOnEmailConfirmed = (deps: Deps, handlers: BillingHandlers, erase: EraseBuyer): Reactor => {
  const runSteps = stepRunner(handlers, erase)
  return {
    name,
    categories: ['user'],
    key: ({ stream }) => stream,
    on: {
      async EmailConfirmed(event) {
        if (event.data.elsewhere) return
        const address = await addressAt(deps, event.stream, event.revision)
        if (!address) return
        await runSteps(
          claimAddress(buyerKeyOf(deps.box, address), parseStream(event.stream).id),
          contextFor(name, event),
        )
      },
      async EmailChanged(event) {
        const { formerEmail } = event.data
        // `forget-buyer-on-user-erased` handles erased accounts.
        if (formerEmail === erasedEmail) return
        const buyerKey = buyerKeyOf(deps.box, formerEmail)
        await runSteps(releaseAddress(buyerKey, parseStream(event.stream).id), contextFor(name, event))
      },
    },
  }
}
