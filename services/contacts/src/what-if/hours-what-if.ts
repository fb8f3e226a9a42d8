import type { HoursWhatIfPart } from '@prosa/contracts/http/what-if/hours'
import { maxDifferences } from '@prosa/contracts/http/what-if/walk'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { readTimeline } from '@prosa/kernel/domain/read-timeline'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import { maxListed, requireBuilt, walkPart } from '@prosa/product/what-if/walk-part'
import { isActive } from '../contact/contact-state.ts'
import { chatIdsOf } from '../contact/person.ts'
import { tenantContacts } from '../contact/tenant-contacts.ts'
import type { ContactHandlers } from '../handlers.ts'
import { type KnownHours, type OpeningHoursEvent, openingHours } from '../opening-hours.ts'
import { hasOutOfHoursFlow, listContacts } from '../queries.ts'
import { reopeningAfter } from '../sending/out-of-hours-rule.ts'
import { compareHours, type HoursFound } from './hours-worlds.ts'
import { businessThen, handledMessages, trafficOf } from './person-then.ts'

/** A reply counts until the business opens again: longer than any weekend, and most holidays. */
const replyReachMs = 7 * 86_400_000

export interface HoursAsked {
  tenant: string
  hours: OpeningHours
  isReplyOn: boolean
  /** `until` is exclusive. */
  from: Instant
  until: Instant
  /** The contact after which this part begins; '' for the first. */
  after: string
}

type OfPerson = HoursFound & { contactId: string; contactName: string | null; isCut: boolean }

const sum = (all: readonly (OfPerson | undefined)[], of: (each: OfPerson) => number) =>
  all.reduce((total, each) => total + (each ? of(each) : 0), 0)

type Known = Pick<KnownHours, 'hours' | 'isReplyOn'>

/** Whether any message was written in another closed time, or while the switch was other. */
const differs = async (
  received: readonly StoredOf<'MessageReceived'>[],
  hoursAt: (at: Instant) => Known,
  draft: Known,
  slice: TimeSlice,
): Promise<boolean> => {
  for (const { data, metadata } of received) {
    if (slice.isDue()) await slice.turn()
    const { recordedAt: at } = metadata
    const known = hoursAt(at)
    if (known.isReplyOn !== draft.isReplyOn) return true
    if (reopeningAfter(known, data.sentAt, at) !== reopeningAfter(draft, data.sentAt, at)) return true
  }
  return false
}

/** One part of the walk over a tenant's contacts. */
export const hoursWhatIf = async (
  handlers: Pick<ContactHandlers, 'contacts'>,
  ports: Pick<Ports, 'pool' | 'store' | 'codec' | 'readModels'>,
  { tenant, hours, isReplyOn, from, until, after }: HoursAsked,
  slice: TimeSlice,
): Promise<HoursWhatIfPart> => {
  requireBuilt(ports.readModels, [tenantContacts.name], tenant)
  const draft = { hours, isReplyOn }
  const hoursAt = await readTimeline<OpeningHoursEvent, KnownHours>(
    ports,
    streamName('openingHours', tenant),
    tenant,
    openingHours,
    slice,
  )
  const then = businessThen(ports, tenant, (...of) => hasOutOfHoursFlow(ports.pool, ...of), slice)
  const since = new Date(Date.parse(from) - replyReachMs).toISOString()

  const compare = async (id: string): Promise<OfPerson | undefined> => {
    const state = await handlers.contacts.load(id, tenant)
    // The survivor of a merge stands for those that it absorbed.
    if (!isActive(state)) return undefined
    const traffic = await trafficOf(ports, { tenant, chatIds: chatIdsOf({ id, state }), since }, slice)
    const received = traffic.received.filter(({ metadata }) => metadata.recordedAt < until)
    const about = { contactId: id, contactName: state.givenName ?? state.name, isCut: traffic.isCut }
    const isSame = !(await differs(received, hoursAt, draft, slice))
    if (isSame) {
      const asked = received.filter(({ metadata }) => metadata.recordedAt >= from)
      const answered = asked.filter(traffic.isAnswered).length
      return { ...about, messages: asked.length, answered, wouldAnswer: answered, differences: [] }
    }
    const of = { tenant, id, from, then }
    const messages = await handledMessages(ports, { ...traffic, received }, of, slice)
    return { ...about, ...(await compareHours(messages, hoursAt, draft, slice)) }
  }

  const { found, ...part } = await walkPart(await listContacts(ports.pool, tenant, after, maxListed), slice, compare)
  const differences = found.flatMap((each) => {
    if (!each) return []
    const { contactId, contactName } = each
    return each.differences.map((difference) => ({ contactId, contactName, ...difference }))
  })
  const gained = differences.filter(({ would }) => would === 'answered').length
  return {
    ...part,
    messages: sum(found, (each) => each.messages),
    answered: sum(found, (each) => each.answered),
    wouldAnswer: sum(found, (each) => each.wouldAnswer),
    gained,
    lost: differences.length - gained,
    differences: differences.slice(0, maxDifferences),
    isCut: found.some((each) => each?.isCut),
  }
}
