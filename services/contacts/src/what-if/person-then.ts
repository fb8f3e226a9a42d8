import { speakerOutOfHours } from '@prosa/contracts/flows/one-answer'
import { parseStream, streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFoldBack } from '@prosa/kernel/domain/read-fold'
import { readTimeline } from '@prosa/kernel/domain/read-timeline'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { RecordedEvent } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { type Contact, type ContactEvent, evolveContact, nobody } from '../contact/contact-state.ts'
import { connectionLine, type Line } from '../others/connection-line.ts'
import { type RunsOfFlows, runsOfFlows, startsNoFlow } from '../others/runs-of-flows.ts'
import type { HandledMessage } from './hours-worlds.ts'

/** Of one chat. */
const maxEvents = 5_000
const never: Instant = '9999-12-31T23:59:59.999Z'

type LogPorts = Pick<Ports, 'store' | 'codec'>
type Received = StoredOf<'MessageReceived'>

export interface Traffic {
  /** Of all chats of the person, in the order of the log. */
  received: Received[]
  /** By a reply out of hours. */
  isAnswered(event: Received): boolean
  isCut: boolean
}

interface Found {
  received: readonly Received[]
  answered: readonly string[]
  events: number
}

const trafficSince = (since: Instant): Reader<Received | StoredOf<'MessageQueued'>, Found> => ({
  initial: { received: [], answered: [], events: 0 },
  evolve: {
    MessageReceived: (found, _, event) =>
      event.metadata.recordedAt < since ? found : { ...found, received: [...found.received, event] },
    MessageQueued: (found, { automatic }, { metadata }) =>
      automatic === 'out_of_hours' ? { ...found, answered: [...found.answered, metadata.causationId] } : found,
  },
})

/** The message of each request for a reply. */
const requestsSince: Reader<StoredOf<'OutOfHoursReplyRequested'>, ReadonlyMap<string, string>> = {
  initial: new Map(),
  evolve: { OutOfHoursReplyRequested: (found, { messageId }, { id }) => new Map([...found, [id, messageId]]) },
}

const chatOf = ({ stream }: Received) => parseStream(stream).id
const byPosition = (one: Received, other: Received) => (one.position < other.position ? -1 : 1)

export const trafficOf = async (
  ports: LogPorts,
  { tenant, chatIds, since }: { tenant: string; chatIds: readonly string[]; since: Instant },
  slice: TimeSlice,
): Promise<Traffic> => {
  const received: Received[] = []
  /** Ids of messages; of earlier releases ids of their events. */
  const answered = new Set<string>()
  let isCut = false
  for (const id of chatIds) {
    let read = 0
    const isBefore = (page: readonly RecordedEvent[]) => page.some(({ metadata }) => metadata.recordedAt < since)
    const isDone = (_: Found, page: readonly RecordedEvent[]) => {
      read += page.length
      return isBefore(page)
    }
    const found = await readFoldBack(ports, 'chat', trafficSince(since), { id, tenant, isDone, maxEvents })
    if (read >= maxEvents) isCut = true
    received.push(...found.received)
    const requests = await readFoldBack(ports, 'flowRun', requestsSince, {
      ...{ id, tenant, maxEvents },
      isDone: (_: ReadonlyMap<string, string>, page) => isBefore(page),
    })
    for (const each of found.answered) answered.add(requests.get(each) ?? each)
    if (slice.isDue()) await slice.turn()
  }
  const isAnswered = ({ id, data }: Received) => answered.has(id) || answered.has(data.messageId)
  return { received: received.toSorted(byPosition), isAnswered, isCut }
}

const contactReader: Reader<ContactEvent, Contact> = { initial: nobody, evolve: evolveContact }

type ContactAt = (at: Instant) => Contact

export interface Then {
  lineAt(connectionId: string, at: Instant): Promise<Line>
  hasOutOfHoursFlow(connectionId: string): Promise<boolean>
}

/** Of one tenant, for the chats of one walk: lines and flows are read once. */
export const businessThen = (
  ports: LogPorts,
  tenant: string,
  findFlow: (tenant: string, connectionId: string) => Promise<boolean>,
  slice: TimeSlice,
): Then => {
  const lines = new Map<string, Promise<(at: Instant) => Line>>()
  const flows = new Map<string, Promise<boolean>>()
  const once = <T>(known: Map<string, Promise<T>>, id: string, read: () => Promise<T>): Promise<T> => {
    const found = known.get(id) ?? read()
    known.set(id, found)
    return found
  }
  return {
    lineAt: async (id, at) =>
      (await once(lines, id, () => readTimeline(ports, streamName('connection', id), tenant, connectionLine, slice)))(
        at,
      ),
    hasOutOfHoursFlow: (id) => once(flows, id, () => findFlow(tenant, id)),
  }
}

/** What the rule asked about each message, as it was when the message was handled. */
export const handledMessages = async (
  ports: LogPorts,
  { received, isAnswered }: Pick<Traffic, 'received' | 'isAnswered'>,
  { tenant, id, from, then }: { tenant: string; id: string; from: Instant; then: Then },
  slice: TimeSlice,
): Promise<HandledMessage[]> => {
  const contacts = new Map<string, ContactAt>()
  const runs = new Map<string, (at: Instant) => RunsOfFlows>()
  for (const contactId of new Set([id, ...received.map(chatOf)])) {
    contacts.set(contactId, await readTimeline(ports, streamName('contact', contactId), tenant, contactReader, slice))
    runs.set(contactId, await readTimeline(ports, streamName('flowRun', contactId), tenant, runsOfFlows, slice))
  }
  /** An absorbed contact is the survivor from then on. */
  const personAt = (contactId: string, at: Instant): { id: string; state: Contact } => {
    const state = contacts.get(contactId)?.(at) ?? nobody
    return state.status === 'absorbed' && contactId !== id ? personAt(id, at) : { id: contactId, state }
  }
  const messages: HandledMessage[] = []
  for (const event of received) {
    if (slice.isDue()) await slice.turn()
    const { messageId, connectionId, sentAt } = event.data
    const at = event.metadata.recordedAt
    const person = personAt(chatOf(event), at)
    const ofFlows = [person.id, ...person.state.absorbed].flatMap((each) => runs.get(each) ?? [])
    const known = runs.get(person.id)?.(at)
    const speaker = speakerOutOfHours({
      isReplyOn: true,
      isTaken: ofFlows.some((each) => each(never).messages.includes(messageId)),
      isRunOn: ofFlows.some((each) => each(at).running.size > 0),
      hasOutOfHoursFlow: await then.hasOutOfHoursFlow(connectionId),
      startsNoFlow: known !== undefined && startsNoFlow(known, at),
    })
    messages.push({
      ...{ messageId, sentAt, at, status: person.state.status },
      chatIds: [person.id, ...person.state.absorbed],
      isTakenByFlow: speaker === 'flow',
      line: await then.lineAt(connectionId, at),
      isAnswered: isAnswered(event),
      isBefore: at < from,
    })
  }
  return messages
}
