import { setMaxListeners } from 'node:events'
import { secretsOfRequest } from '@prosa/contracts/flows/request-template'
import { pause } from '@prosa/kernel/async/pause'
import { repeat } from '@prosa/kernel/async/retry'
import { wakeSignal } from '@prosa/kernel/async/wake-signal'
import { transientPauseMs } from '@prosa/kernel/consumers/engine/retry-work'
import { deriveId } from '@prosa/kernel/derive-id'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Logger } from '@prosa/kernel/observability/log'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import type { Pool } from 'pg'
import type { FlowRunHandlers } from '../run-handlers.ts'
import { type CarryOutDeps, carryOut } from './carry-out.ts'
import { type FlowRequestRow, findFlowRequests } from './flow-requests.ts'
import { failedReply, type RequestReply } from './request-step.ts'

export interface SendRequestsDeps extends CarryOutDeps {
  pool: Pool
  databaseUrl: string
  log: Logger
  handlers: Pick<FlowRunHandlers, 'runs' | 'documents' | 'giveWithDocuments' | 'personAt' | 'factsOf'>
  /** Those of these names that exist. */
  secretsOf(tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Counted since the process began, by outcome. */
  counts: { succeeded: number; failed: number }
  /** Default: 250 ms. */
  pollMs?: number
}

/** A slow address delays its tenant alone. */
const perTenant = 8
const maxAtOnce = 128
const afterTroubleMs = 5000

/** What the run waits for; undefined if it does not any more: the table is behind the log, and another process may have sent. */
const waitingFor = async (
  { handlers }: SendRequestsDeps,
  { tenant, contactId, runId, step, flowId, version, nodeId }: FlowRequestRow,
) => {
  const { runs } = await handlers.runs.load(contactId, tenant)
  const run = runs.find((each) => each.runId === runId)
  if (run?.standing?.waitsFor !== 'reply' || run.step !== step) return undefined
  const document = await handlers.documents.documentOf(tenant, flowId, version)
  const node = document?.nodes.find(({ id }) => id === nodeId)
  return { values: run.standing.values ?? {}, node: node?.type === 'request' ? node : undefined }
}

/** False where nothing is wanted any more, or the process ends. The key is the same at each attempt, also by another process after a crash: whoever knows it carries the request out once. */
const sendOne = async (deps: SendRequestsDeps, row: FlowRequestRow, signal: AbortSignal): Promise<boolean> => {
  const { tenant, runId, step } = row
  const waiting = await waitingFor(deps, row)
  if (!waiting) return false
  const key = deriveId('flow request', runId, step)
  const { node, values } = waiting
  const { secretsOf, counts } = deps
  const reply = node
    ? await carryOut(
        deps,
        { tenant, request: node.data, values, secrets: await secretsOf(tenant, secretsOfRequest(node.data)), key },
        signal,
      )
    : { ...failedReply('no_reply'), body: '' }
  if (!reply) return false
  const { body: _, ...recorded } = reply
  await receive(deps, row, recorded)
  counts[recorded.failure === null ? 'succeeded' : 'failed'] += 1
  return true
}

const receive = async ({ handlers }: SendRequestsDeps, row: FlowRequestRow, reply: RequestReply): Promise<void> => {
  const { tenant, contactId, runId, step, flowId, version, eventId, correlationId } = row
  const { state: contact } = await handlers.personAt(tenant, contactId)
  const facts = await handlers.factsOf(tenant, contact)
  await handlers.giveWithDocuments(
    tenant,
    contactId,
    (library) => ({ type: 'ReceiveReply', data: { runId, step, reply, facts, library } }),
    {
      commandId: deriveId('flow reply', runId, step),
      actor: { kind: 'system', id: 'flow-requests' },
      ...{ tenant, causationId: eventId, correlationId },
    },
    { named: [{ flowId, version }] },
  )
}

const keyOf = ({ runId, step }: FlowRequestRow) => `${runId} ${step}`

const sendWhile = async (deps: SendRequestsDeps, signal: AbortSignal, isMine: () => boolean): Promise<void> => {
  const { pool, log, pollMs = 250 } = deps
  const underWay = new Map<string, { row: FlowRequestRow; done: Promise<void> }>()
  const waking = wakeSignal()
  // Each request that waits for its next attempt listens.
  setMaxListeners(0, signal)

  const start = (row: FlowRequestRow) => {
    const done = correlated(row.correlationId, () => sendOne(deps, row, signal))
      .catch(async (error: unknown) => {
        log.warn({ run: row.runId, err: error }, 'request of a flow interrupted')
        await pause(afterTroubleMs, signal)
        return false
      })
      .then((isSent) => {
        underWay.delete(keyOf(row))
        // Where nothing was sent the table is behind: it is asked again at the next poll.
        if (isSent) waking.wake()
      })
    underWay.set(keyOf(row), { row, done })
  }
  const step = async () => {
    const running = [...underWay.values()].map(({ row }) => row)
    const free = (tenant: string) =>
      perTenant - [...underWay.values()].filter(({ row }) => row.tenant === tenant).length
    const asked = { perTenant, underWay: running.map(({ runId }) => runId) }
    for (const row of await findFlowRequests(pool, asked)) {
      if (!isMine() || underWay.size >= maxAtOnce) break
      if (!underWay.has(keyOf(row)) && free(row.tenant) > 0) start(row)
    }
    await waking.wait(pollMs, signal)
  }
  await repeat(step, {
    signal,
    pauseAfter: (failures) => (failures === 0 ? 0 : transientPauseMs(failures - 1)),
    onFailure: (error) => log.warn({ err: error }, 'requests of flows interrupted'),
  })
  await Promise.all([...underWay.values()].map(({ done }) => done))
}

/** One process sends at a time; of two that think so, the second reply changes nothing. */
export const sendRequests = (deps: SendRequestsDeps, signal: AbortSignal): Promise<void> =>
  exclusively(deps.databaseUrl, 'flow requests', signal, (until, isMine) => sendWhile(deps, until, isMine), {
    onTrouble: (error) => deps.log.warn({ err: error }, 'the lock of requests of flows was lost'),
  })
