import { parseStream } from '@prosa/contracts/streams'
import type { Town } from '../history/town.ts'
import type { Happened } from './happened.ts'

/** Address → the account that proved it last. */
const holdersOf = (happened: Happened): Map<string, string> => {
  const address = new Map<string, string>()
  const holders = new Map<string, string>()
  for (const { type, data, stream } of happened.events) {
    const { id } = parseStream(stream)
    if (type === 'UserRegistered') address.set(id, data.email)
    if (type === 'EmailChanged' || type === 'UserErased') {
      for (const [email, holder] of holders) if (holder === id) holders.delete(email)
      if (type === 'EmailChanged') address.set(id, data.email)
    }
    const own = address.get(id)
    if (type === 'EmailConfirmed' && !data.elsewhere && own) holders.set(own, id)
  }
  return holders
}

export const strayPurchases = (happened: Happened, { sales }: Town): string[] => {
  const holders = holdersOf(happened)
  const assigned = new Map<string, string>()
  for (const { stream, data } of happened.of('OrderAssigned')) assigned.set(parseStream(stream).id, data.userId)
  const reported = new Set(happened.of('OrderReported').map(({ stream }) => parseStream(stream).id))
  return sales.flatMap(({ orderId, email }) => {
    if (!reported.has(orderId)) return [`order ${orderId} was lost`]
    const holder = holders.get(email)
    const tenant = assigned.get(orderId)
    return holder && !tenant ? [`order ${orderId} of ${email} waits though ${holder} has the address`] : []
  })
}
