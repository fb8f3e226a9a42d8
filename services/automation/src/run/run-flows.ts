import { parseStream } from '@prosa/contracts/streams'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/product/ports'
import { conversationConnection } from '../others/conversation-connection.ts'
import { flowSetOffBy, flowSetOffByLabel } from './choose-flow.ts'
import type { EndReason } from './flow-run-state.ts'
import { runsMover } from './move-runs.ts'
import { type FlowOn, findFlowsOn } from './queries.ts'
import type { FlowRunHandlers } from './run-handlers.ts'
import { spokenText } from './text/spoken-text.ts'
import { waitsForPerson } from './waits-for-person.ts'
import { whatMayStart } from './what-may-start.ts'

const name = 'run-flows'

type Deps = Pick<Ports, 'writePool' | 'entitlements'>

const ownerOf = ({ metadata }: Stored): string => {
  if (!metadata.owner) throw new Error('a contact without an owner')
  return metadata.owner
}

const contextOf = (event: Stored) => ({ ...contextFor(name, event), asOf: event.position })

/** Messages and labels, which answer or start runs. */
const flowInputs = (
  handlers: FlowRunHandlers,
  entitlements: Ports['entitlements'],
  flowsOf: (event: Stored) => Promise<readonly FlowOn[]>,
) => {
  const { giveWithDocuments, personAt, factsOf, hoursOf, defaultOf } = handlers
  const candidatesFor = whatMayStart(handlers, entitlements)
  const { settleBefore } = waitsForPerson(handlers)

  const receive = async (event: StoredOf<'MessageReceived'>) => {
    const flows = await flowsOf(event)
    if (flows.length === 0) return
    const owner = ownerOf(event)
    const person = await personAt(owner, parseStream(event.stream).id)
    if (person.state.status === 'erased' || person.state.status === 'absent') return
    const { messageId, connectionId, content, sentAt } = event.data
    const candidates = await candidatesFor(owner, person, sentAt, flows)
    const hours = await hoursOf(owner)
    const start = candidates.length > 0 && {
      connectionId,
      candidates,
      writtenAt: event.metadata.recordedAt,
      isFirst: event.revision === 0n,
      isOutOfHours: hours !== null && !isOpen(hours, sentAt),
      defaultFlowId: await defaultOf(owner),
    }
    const facts = await factsOf(owner, person.state)
    const text = spokenText(content)
    const input = { contactId: person.id, messageId, text, start: start || null, facts }
    await giveWithDocuments(
      owner,
      person.id,
      (library) => ({ type: 'ReceiveInput', data: { ...input, library } }),
      contextOf(event),
      {
        startsBy: (state) => (start ? flowSetOffBy({ ...start, text, now: facts.now }, state) : undefined),
        ...(start && { settle: settleBefore(event, person.id, contextOf(event)) }),
      },
    )
  }

  const label = async (event: StoredOf<'ContactLabelled'>) => {
    // Labels added by flows start no flow: two could loop for ever.
    if (event.metadata.actor.kind !== 'user') return
    const flows = await flowsOf(event)
    if (flows.length === 0) return
    const owner = ownerOf(event)
    const person = await personAt(owner, parseStream(event.stream).id)
    if (person.state.status === 'erased') return
    const candidates = await candidatesFor(owner, person, event.metadata.recordedAt, flows)
    const connectionId = candidates.length > 0 ? await conversationConnection(handlers, owner, person.id) : undefined
    if (connectionId === undefined) return
    const facts = await factsOf(owner, person.state)
    const { labelId } = event.data
    const start = { connectionId, candidates, writtenAt: event.metadata.recordedAt }
    const given = { contactId: person.id, labelId, occasion: event.id, start, facts }
    await giveWithDocuments(
      owner,
      person.id,
      (library) => ({ type: 'ReceiveLabel', data: { ...given, library } }),
      contextOf(event),
      {
        startsBy: (state) => flowSetOffByLabel(labelId, { ...start, now: facts.now }, state),
        settle: settleBefore(event, person.id, contextOf(event)),
      },
    )
  }

  return { receive, label }
}

/**
 * In log order: messages start flows and answer questions, labels start flows, acceptance ends runs. Runs follow merges and end with
 * erasure. After a pause or transfer a person resumes flows.
 */
export const runFlows = (handlers: FlowRunHandlers, { writePool, entitlements }: Deps): Reactor => {
  const { give, personAt, seen, clock } = handlers

  const { endsWait } = waitsForPerson(handlers)
  const moveRuns = runsMover(handlers)

  /** Empty for events without a tenant. */
  const flowsOf = async (event: Stored) => {
    seen.note(event.position)
    const { owner } = event.metadata
    return owner === null ? [] : findFlowsOn(writePool, owner)
  }

  const { receive, label } = flowInputs(handlers, entitlements, flowsOf)

  const end = async (event: Stored, reason: EndReason) => {
    if ((await flowsOf(event)).length === 0) return
    const { id } = await personAt(ownerOf(event), parseStream(event.stream).id)
    await give(id, { type: 'EndRuns', data: { at: clock.now(), reason } }, contextOf(event))
  }

  const move = async (event: StoredOf<'ContactAbsorbed'>) => {
    if ((await flowsOf(event)).length > 0) await moveRuns(event, ownerOf(event), contextOf(event))
  }

  /** A merged contact's state moves, and nobody finishes its conversation. */
  const resume = async (event: Stored) => {
    if ((await flowsOf(event)).length === 0) return
    const { id } = parseStream(event.stream)
    const data = { at: event.metadata.recordedAt, isFinished: await endsWait(event) }
    await give(id, { type: 'ResumeFlows', data }, contextOf(event))
  }

  return {
    name,
    categories: ['chat', 'contact'],
    key: ({ stream }) => parseStream(stream).id,
    atOnce: decisionsAtOnce,
    on: {
      MessageReceived: receive,
      ContactLabelled: label,
      ConversationAccepted: (event) => end(event, 'accepted'),
      ConversationResumed: (event) => end(event, 'accepted'),
      ConversationResolved: resume,
      // Follows a resume, and may arrive after another pause.
      RobotSuspicionCleared: async (event) => {
        if (event.data.attendantId !== null) await resume(event)
      },
      ContactRestored: resume,
      ContactAbsorbed: move,
      ContactErased: (event) => end(event, 'contact_erased'),
    },
  }
}
