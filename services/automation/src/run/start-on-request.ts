import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { Entitlements } from '@prosa/product/entitlements/port'
import { conversationConnection } from '../others/conversation-connection.ts'
import type { FlowRunHandlers } from './run-handlers.ts'

interface Wish {
  tenant: string
  flowId: string
  contactId: string
  connectionId: string | undefined
  startedBy: 'program' | 'attendant'
}

interface Started {
  runId: string
  version: number
  contactId: string
  position: Position | null
}

/** Another flow that this one leads to was published while the documents were read. */
const maxAttempts = 5

/** As for messages of attendants. */
const requirePlan = async (entitlements: Entitlements, tenant: string): Promise<void> => {
  const { access, mustConfirmEmail, messages } = await entitlements.of(tenant)
  if (access === 'ended') throw refuse('subscription_ended')
  if (mustConfirmEmail) throw refuse('email_not_confirmed')
  if (messages.limit !== null && messages.used >= messages.limit)
    throw new Refused('message_limit_reached', undefined, undefined, messages.limit)
}

/** An attendant sees that it is down, and waits; a program's messages wait in its place. */
const openLineFor = async (handlers: FlowRunHandlers, tenant: string, contactId: string): Promise<string> => {
  const current = await conversationConnection(handlers, tenant, contactId)
  if (current === undefined) throw refuse('flow_conversation_needed')
  if (!(await handlers.isLineOpen(tenant, current))) throw refuse('connection_not_open')
  return current
}

/** The conversation's number; a wish counts where there is none. */
const lineFor = async (handlers: FlowRunHandlers, { tenant, connectionId: wish }: Wish, contactId: string) => {
  if (wish !== undefined && !(await handlers.isConnectionActive(tenant, wish))) throw refuse('connection_not_found')
  const current = await conversationConnection(handlers, tenant, contactId)
  if (current === undefined && wish === undefined) throw refuse('flow_line_needed')
  if (current !== undefined && wish !== undefined && current !== wish) throw refuse('line_not_of_conversation')
  return current ?? wish ?? ''
}

/** A published flow that is on, once for a command; refuses with what keeps it from starting (docs/decisions/0078-public-api.md, 0093). */
export const startOnRequest = async (
  handlers: FlowRunHandlers,
  entitlements: Entitlements,
  wish: Wish,
  context: CommandContext,
): Promise<Started> => {
  const { documents, personAt, factsOf, give } = handlers
  const { tenant, flowId } = wish
  await requirePlan(entitlements, tenant)
  if (!(await documents.exists(tenant, flowId))) throw refuse('flow_not_found')
  const person = await personAt(tenant, wish.contactId)
  const { status } = person.state
  if (status === 'absent' || status === 'erased') throw refuse('contact_not_found')
  const occasion = context.commandId
  const isByHand = wish.startedBy === 'attendant'
  const lineOf = () => (isByHand ? openLineFor(handlers, tenant, person.id) : lineFor(handlers, wish, person.id))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const version = await documents.publishedOf(tenant, flowId)
    const flow = version === null ? undefined : await documents.candidateOf(tenant, flowId, version)
    if (version === null || !flow) throw refuse('flow_turned_off')
    const runId = deriveId('flow run', person.id, flowId, occasion)
    const started = { runId, version, contactId: person.id }
    const earlier = context.repeated ? await handlers.runs.earlier(person.id, 'StartFlow', context) : undefined
    if (earlier?.ok) return { ...started, position: earlier.position }
    if (status === 'attending') throw refuse('conversation_attended')
    const connectionId = await lineOf()
    const library = await documents.libraryOf(tenant, [{ flowId, version }])
    const facts = await factsOf(tenant, person.state)
    const data = { contactId: person.id, flow, connectionId, occasion, startedBy: wish.startedBy, facts, library }
    const outcome = await give(person.id, { type: 'StartFlow', data }, context)
    if (outcome.ok) return { ...started, position: outcome.position }
    if (outcome.rejected !== 'flow_document_missing') throw refuse(outcome.rejected)
  }
  throw new Error('the flows that this one leads to changed at each attempt')
}
