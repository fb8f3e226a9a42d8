import type { FlowReplay, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import { isOpen } from '@prosa/contracts/values/time/is-open'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { readTimeline } from '@prosa/kernel/domain/read-timeline'
import type { Ports } from '@prosa/kernel/ports'
import { companyName, knownHours } from '../../others/known-business.ts'
import { firstNameIn, knownContact } from '../../others/known-contact.ts'
import { knownLabels } from '../../others/known-labels.ts'
import type { Candidate } from '../choose-flow.ts'
import { type FlowFacts, type FlowLibrary, labelFacts } from '../flow-facts.ts'
import { findRunsSince, type RunContact } from '../queries.ts'
import { type FlowRunHandlers, isOpenAt } from '../run-handlers.ts'
import { pastRunOf } from './past-run.ts'
import { compareRuns, replayRun } from './replay-run.ts'

const maxRuns = 500
const maxMs = 8000
const maxCharacters = 1_000_000
/** A step's size without its text. */
const charactersOfStep = 150
const maxConcurrent = 4

type ReplayPorts = Pick<Ports, 'pool' | 'store' | 'codec' | 'clock'>

interface Replayed {
  tenant: string
  flow: Candidate
  library: FlowLibrary
  days: number
}

type Difference = FlowReplay['differences'][number]

const charactersOf = (steps: readonly FlowStepTaken[]): number =>
  steps.reduce((sum, step) => sum + charactersOfStep + ('text' in step ? step.text.length : 0), 0)

/** With the inputs, times and facts of then. */
export const replayFlow = async (
  { documents, limits }: FlowRunHandlers,
  ports: ReplayPorts,
  { tenant, flow, library, days }: Replayed,
  slice: TimeSlice,
): Promise<FlowReplay> => {
  const now = ports.clock.now()
  const from = new Date(Date.parse(now) - days * 86_400_000).toISOString()
  const runs = await findRunsSince(ports.pool, tenant, flow.flowId, from, maxRuns + 1)
  const hoursAt = await readTimeline(ports, streamName('openingHours', tenant), tenant, knownHours, slice)
  const labelsAt = await readTimeline(ports, streamName('label', tenant), tenant, knownLabels, slice)
  const companyAt = await readTimeline(ports, streamName('company', tenant), tenant, companyName, slice)

  const compare = async ({ runId, contactId }: RunContact) => {
    const contactAt = await readTimeline(ports, streamName('contact', contactId), tenant, knownContact, slice)
    const contact = contactAt(now)
    if (contact.status === 'erased') return undefined
    const past = await pastRunOf(ports, { tenant, contactId, runId, now }, slice)
    if (!past) return undefined
    const factsAt = (at: Instant): FlowFacts => {
      const known = contactAt(at)
      return {
        now: at,
        isOpen: isOpenAt(hoursAt(at).hours, at),
        ...labelFacts(known.labelIds, labelsAt(at)),
        firstName: firstNameIn(known),
        company: companyAt(at),
        limits,
      }
    }
    const { started, startedAt } = past
    const { hours } = hoursAt(startedAt)
    const document = await documents.documentOf(tenant, started.flowId, started.version)
    const trigger = document?.nodes.flatMap((node) => (node.type === 'trigger' ? node.data.start : []))[0]
    const labelId = trigger?.kind === 'label_set' ? trigger.labelId : null
    const start = { isFirst: past.isFirst, isOutOfHours: hours !== null && !isOpen(hours, startedAt), labelId }
    const played = await replayRun({ ...past, start }, flow, { library, factsAt }, slice)
    const { before, after, difference } = compareRuns(
      past.history.map(({ event }) => event),
      played,
    )
    const contactName = contact.givenName ?? contact.name
    return { runId, contactId, contactName, startedAt, before, after, difference }
  }

  const began = performance.now()
  const left = runs.slice(0, maxRuns)
  const found: NonNullable<Awaited<ReturnType<typeof compare>>>[] = []
  let characters = 0
  const work = async () => {
    for (let run = left.shift(); run; run = left.shift()) {
      const compared = await compare(run)
      if (compared) found.push(compared)
      if (compared?.difference) characters += charactersOf(compared.before) + charactersOf(compared.after)
      if (slice.isDue()) await slice.turn()
      if (characters > maxCharacters || performance.now() - began > maxMs) return
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))

  const differences = found.flatMap(({ difference, ...about }): Difference[] =>
    difference ? [{ ...about, nodeId: difference.nodeId }] : [],
  )
  return {
    from,
    runs: found.length,
    isCut: runs.length > maxRuns || left.length > 0,
    same: found.length - differences.length,
    differences: differences.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1)),
  }
}
