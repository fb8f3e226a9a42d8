import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { buyerKeyOf } from '../buyers/buyer-key.ts'
import type { EraseBuyer } from '../buyers/erase-buyer.ts'
import type { BillingHandlers } from '../handlers.ts'
import { claimAddress, releaseAddress } from './purchase-process.ts'
import { stepRunner } from './run-steps.ts'

const name = 'claim-on-email-confirmed'

type Deps = Pick<Ports, 'store' | 'codec' | 'box'>

interface Address {
  email: string
  since: bigint
}

const lastAddress: Reader<StoredOf<'UserRegistered' | 'EmailChanged'>, Address | undefined> = {
  initial: undefined,
  evolve: {
    UserRegistered: (_, { email }, { revision }) => ({ email, since: revision }),
    EmailChanged: (_, { email }, { revision }) => ({ email, since: revision }),
  },
}

/** Undefined if left or erased since: late handling must not override the current holder's claim. */
const addressAt = async (deps: Deps, { stream, revision, metadata }: Stored): Promise<string | undefined> => {
  // Not cached: an erased address must not be known from before.
  const last = await readFold(deps, 'user', lastAddress).load(parseStream(stream).id, metadata.tenant)
  return last === undefined || last.since > revision || last.email === erasedEmail ? undefined : last.email
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
        const address = await addressAt(deps, event)
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
