import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Survivor, survivorOf } from '@prosa/contracts/values/survivor'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import { localDay } from '@prosa/contracts/values/time/local-time'
import type { OpeningHours } from '@prosa/contracts/values/time/opening-hours'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import {
  type CommandContext,
  type CommandHandler,
  commandHandler,
  type Outcome,
} from '@prosa/kernel/domain/command-handler'
import { readFold } from '@prosa/kernel/domain/read-fold'
import { traced } from '@prosa/kernel/observability/tracing'
import type { Ports } from '@prosa/product/ports'
import { flowHandlers } from '../flow-handlers.ts'
import { knownHours } from '../others/known-business.ts'
import { firstNameIn, type KnownContact, knownContact } from '../others/known-contact.ts'
import type { Choice } from './choose-flow.ts'
import { flowDocuments } from './flow-documents.ts'
import { type FlowFacts, type FlowLibrary, labelFacts } from './flow-facts.ts'
import type { FlowRunEvent, FlowRuns, Run } from './flow-run-state.ts'
import { askingIn, type FlowRunCommand, type FlowRunRefusal, flowRuns } from './flow-runs.ts'
import type { FlowLimits } from './recent-flows.ts'
import { seenLog, streamCache } from './stream-cache.ts'
import { whatMayStart } from './what-may-start.ts'

const maxContacts = 20_000
const maxBusinesses = 10_000
const maxConnections = 10_000
const maxAttempts = 10

type KnownPerson = Survivor<KnownContact>

/** Without hours a tenant is always open, in Brasília's time. */
export const timeFacts = (hours: OpeningHours | null, now: Instant): Pick<FlowFacts, 'isOpen' | 'today'> => ({
  isOpen: hours === null || isOpen(hours, now),
  today: localDay(hours?.timeZone ?? defaultTimeZone, now),
})

type RunOutcome = Extract<Outcome<FlowRunEvent, FlowRuns, FlowRunRefusal>, { ok: true }>

interface Giving {
  runs: CommandHandler<FlowRunCommand, FlowRunEvent, FlowRuns, FlowRunRefusal>
  give(
    contactId: string,
    command: FlowRunCommand,
    context: CommandContext,
  ): Promise<Outcome<FlowRunEvent, FlowRuns, FlowRunRefusal>>
  documents: Pick<ReturnType<typeof flowDocuments>, 'libraryOf'>
}

/**
 * Passes the named documents, or those of the starting flow or asking run; retries if another run began meanwhile. Up to a hundred
 * waiting runs need no reads. `settle` runs first; true if it changed the runs.
 */
const givingWithDocuments =
  ({ runs, give, documents }: Giving) =>
  async (
    tenant: string,
    contactId: string,
    commandWith: (library: FlowLibrary) => FlowRunCommand,
    context: CommandContext,
    {
      named,
      startsBy = () => undefined,
      settle = async () => undefined,
    }: {
      named?: readonly Pick<Run, 'flowId' | 'version'>[]
      startsBy?: (state: FlowRuns) => Choice | undefined
      settle?: (state: FlowRuns) => Promise<void>
    } = {},
  ): Promise<RunOutcome> => {
    let wanted = named
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (!wanted) {
        const state = await runs.load(contactId, tenant)
        // What it changes makes at most fewer flows start, so that the documents suffice.
        await settle(state)
        wanted = [...(named ?? []), ...[askingIn(state), startsBy(state)?.flow].filter((each) => each !== undefined)]
      }
      const library = await documents.libraryOf(tenant, wanted)
      const outcome = await give(contactId, commandWith(library), context)
      if (outcome.ok) return outcome
      if (outcome.rejected !== 'flow_document_missing') throw new Error('the runs belong to another tenant')
      wanted = undefined
    }
    throw new Error('the runs with a contact changed at each attempt')
  }

export type FlowRunHandlers = ReturnType<typeof flowRunHandlers>

export const flowRunHandlers = (ports: Ports) => {
  const { store, codec, clock, snapshots, budgets, pool, readModels } = ports
  const limits: FlowLimits = { starts: budgets.flowStartsPerContact, messages: budgets.flowMessagesPerContact }
  const base = { store, codec, clock, snapshots, service: 'automation' } as const
  const seen = seenLog()
  const runs = commandHandler({ ...base, category: 'flowRun', decider: flowRuns, foreign: 'flow_run_not_found' })
  const { defaults, order, labels, fields, connections, companies, lines } = flowHandlers(ports)
  const contacts = readFold(base, 'contact', knownContact)
  const hours = readFold(base, 'openingHours', knownHours)
  const documents = flowDocuments(ports, seen)

  const deps = { store, seen }
  const idOf = (stream: string) => stream.slice(stream.indexOf('-') + 1)
  const contactAt = streamCache(deps, maxContacts, (stream, tenant) => contacts.load(idOf(stream), tenant))
  const companyAt = streamCache(deps, maxBusinesses, (_, tenant) => companies.load(tenant, tenant))
  const hoursAt = streamCache(deps, maxBusinesses, (_, tenant) => hours.load(tenant, tenant))
  const defaultAt = streamCache(deps, maxBusinesses, async (_, tenant) => (await defaults.load(tenant, tenant)).flowId)

  const orderAt = streamCache(deps, maxBusinesses, async (_, tenant) => (await order.load(tenant, tenant)).flowIds)
  const orderOf = (tenant: string) => orderAt(streamName('flowOrder', tenant), tenant)
  const labelsAt = streamCache(deps, maxBusinesses, (_, tenant) => labels.load(tenant, tenant))
  const labelsOf = (tenant: string) => labelsAt(streamName('label', tenant), tenant)

  const fieldsAt = streamCache(deps, maxBusinesses, (_, tenant) => fields.load(tenant, tenant))
  const fieldsOf = (tenant: string) => fieldsAt(streamName('contactField', tenant), tenant)

  const connectionAt = streamCache(deps, maxConnections, (stream, tenant) => connections.load(idOf(stream), tenant))

  const replyHoursOf = (tenant: string) => hoursAt(streamName('openingHours', tenant), tenant)
  const hoursOf = async (tenant: string) => (await replyHoursOf(tenant)).hours

  const personAt = (tenant: string, id: string): Promise<KnownPerson> =>
    survivorOf((each) => contactAt(streamName('contact', each), tenant), id)

  const factsOf = async (tenant: string, contact: KnownContact): Promise<FlowFacts> => {
    const now = clock.now()
    return {
      now,
      ...timeFacts(await hoursOf(tenant), now),
      ...labelFacts(contact.labelIds, await labelsOf(tenant)),
      fields: await fieldsOf(tenant),
      fieldValues: contact.fieldValues,
      firstName: firstNameIn(contact),
      company: await companyAt(streamName('company', tenant), tenant),
      limits,
    }
  }

  const give = async (contactId: string, command: FlowRunCommand, context: CommandContext) => {
    const work = () => runs(contactId, command, context)
    const outcome = await traced(`flow ${command.type}`, { 'prosa.command': command.type }, work, context.correlationId)
    if (outcome.ok) seen.note(outcome.position)
    return outcome
  }

  const giveWithDocuments = givingWithDocuments({ runs, give, documents })

  return {
    ...{ runs, give, giveWithDocuments, personAt, factsOf, documents },
    ...{ hoursOf, replyHoursOf, labelsOf, fieldsOf, orderOf },
    ...{ seen, store, codec, clock, limits, pool, readModels },
    candidatesFor: whatMayStart(documents, { ...ports, orderOf }),
    companyOf: (tenant: string) => companyAt(streamName('company', tenant), tenant),
    isConnectionActive: async (tenant: string, connectionId: string) =>
      (await connectionAt(streamName('connection', connectionId), tenant)) === 'active',
    isConnectionRemoved: async (tenant: string, connectionId: string) =>
      (await connectionAt(streamName('connection', connectionId), tenant)) === 'removed',
    isLineOpen: (tenant: string, connectionId: string) => lines.load(connectionId, tenant),
    defaultOf: (tenant: string) => defaultAt(streamName('defaultFlow', tenant), tenant),
  }
}
