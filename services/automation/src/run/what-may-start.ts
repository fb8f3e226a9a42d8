import type { Instant } from '@prosa/contracts/values/instant'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/product/ports'
import { inOrder } from '../order/flow-order.ts'
import type { KnownContact } from '../others/known-contact.ts'
import { type Candidate, wordsOf } from './choose-flow.ts'
import type { flowDocuments } from './flow-documents.ts'
import type { FlowOn } from './queries.ts'

/** Older input starts nothing, e.g. after an outage. */
const maxAgeMs = 10 * 60_000

export const isLongAgo = (at: Instant, now: Instant): boolean => Date.parse(now) - Date.parse(at) > maxAgeMs

/** Whether a message of `at` may start anything at `now`: nobody attends, and it is not of before an outage. */
export const isStartable = ({ status }: Pick<KnownContact, 'status'>, at: Instant, now: Instant): boolean =>
  status !== 'attending' && !isLongAgo(at, now)

/** Cached, plus a constant per flow: each list is indexed once. */
const maxKeywords = 500_000

export const whatMayStart = (
  documents: Pick<ReturnType<typeof flowDocuments>, 'publishedOf' | 'candidateOf'>,
  {
    clock,
    entitlements,
    orderOf,
  }: Pick<Ports, 'clock' | 'entitlements'> & {
    orderOf(tenant: string): Promise<readonly string[]>
  },
) => {
  const lists = lruMap<string, readonly Candidate[]>(maxKeywords, (_, list) =>
    list.reduce((weight, each) => weight + 5 + wordsOf(each), 5),
  )
  /** Same object while the same flows are enabled. */
  const sameList = (tenant: string, found: readonly Candidate[]): readonly Candidate[] => {
    const known = lists.get(tenant)
    if (known?.length === found.length && found.every((each, index) => each === known[index])) return known
    lists.set(tenant, found)
    return found
  }

  /** Empty while attended or unable to send. */
  const candidatesFor = async (
    tenant: string,
    contact: Pick<KnownContact, 'status'>,
    at: Instant,
    flows: readonly FlowOn[],
  ): Promise<readonly Candidate[]> => {
    const on = flows.filter((each) => each.isOn)
    if (on.length === 0 || !isStartable(contact, at, clock.now())) return []
    const { access, mustConfirmEmail } = await entitlements.of(tenant)
    if (access === 'ended' || mustConfirmEmail) return []
    const found = await Promise.all(
      inOrder(on, await orderOf(tenant)).map(async ({ flowId }) => {
        const version = await documents.publishedOf(tenant, flowId)
        return version === null ? [] : ((await documents.candidateOf(tenant, flowId, version)) ?? [])
      }),
    )
    return sameList(tenant, found.flat())
  }

  return candidatesFor
}
