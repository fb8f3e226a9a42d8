import { setTimeout as delay } from 'node:timers/promises'
import { type FlowDocument, flowId, storedDraft } from '@prosa/contracts/flows/flow-document'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import { foldEvents, readUpTo } from '../moments/read-up-to.ts'
import { flows } from './projection.ts'
import type { FoundFlow } from './queries.ts'
import { requireFlow } from './require-flow.ts'
import type { FlowRow } from './table.ts'

const looks = 20
const betweenLooksMs = 100

/** Undefined if replaced. */
const withDraft = async (
  { drafts }: Pick<Ports, 'drafts'>,
  tenant: string,
  { draftDigest, ...flow }: FoundFlow,
): Promise<FlowDetail | undefined> => {
  if (draftDigest === null) return flow
  const text = await drafts.read(tenant, { id: flow.id, revision: flow.revision, digest: draftDigest })
  return text === undefined ? undefined : { ...flow, document: storedDraft.parse(JSON.parse(text)).document }
}

/** A replaced draft means the row is behind: waits, then refuses `draft_missing`. */
export const readFlow = async (
  ports: Pick<Ports, 'pool' | 'drafts'>,
  tenant: string,
  id: string,
): Promise<FlowDetail> => {
  for (let look = 0; look < looks; look++) {
    const found = await withDraft(ports, tenant, await requireFlow(ports.pool, tenant, id))
    if (found) return found
    await delay(betweenLooksMs)
  }
  throw refuse('draft_missing')
}

const lastPublished = (events: readonly Stored[]): FlowDocument | undefined =>
  events.findLast((event) => event.type === 'FlowPublished')?.data.document

/** A draft beside the log is there until the next save replaces it. */
const draftOf = async ({ drafts }: Pick<Ports, 'drafts'>, row: FlowRow, tenant: string): Promise<FlowDocument> => {
  const { id, revision, draftDigest: digest, document } = row
  if (digest === null) return document
  const text = await drafts.read(tenant, { id, revision, digest })
  if (text === undefined) throw refuse('draft_of_then_gone')
  return storedDraft.parse(JSON.parse(text)).document
}

/** A flow as of a position: what it ran, or before it was published its draft. */
export const readFlowThen = async (
  ports: Pick<Ports, 'store' | 'codec' | 'drafts'>,
  tenant: string,
  moment: Position,
  asked: string,
): Promise<FlowDetail> => {
  const id = asked.toLowerCase()
  const events = flowId.safeParse(id).success ? await readUpTo(ports, `flow-${id}`, moment) : []
  const row = foldEvents(flows, events).get(id)
  if (!row || row.tenant !== tenant) throw refuse('flow_not_found')
  const { name, folderId, isOn, version, nodeCount, revision, publishedRevision, createdAt, updatedAt } = row
  const status = version === null ? 'draft' : isOn ? 'active' : 'inactive'
  const document = lastPublished(events) ?? (await draftOf(ports, row, tenant))
  const isChanged = revision !== publishedRevision
  return { id, name, folderId, status, nodeCount, version, createdAt, updatedAt, revision, isChanged, document }
}
