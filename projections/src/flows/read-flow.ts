import { setTimeout as delay } from 'node:timers/promises'
import { storedDraft } from '@prosa/contracts/flows/flow-document'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FoundFlow } from './queries.ts'
import { requireFlow } from './require-flow.ts'

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
