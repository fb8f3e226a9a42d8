import { repeat } from '@prosa/kernel/async/retry'
import type { Ports } from '@prosa/kernel/ports'
import type { FlowDeps } from '../flow-deps.ts'

type Deps = Pick<FlowDeps, 'flows' | 'drafts'>

const betweenSweepsMs = 10 * 60_000
const atOnce = 500

/** Deletes drafts that no event names after an hour (command refused, process died). The log decides: the reactor may be late. */
export const dropLeftOver = async ({ flows, drafts }: Deps, log: Ports['log']): Promise<void> => {
  for (const { tenant, ...ref } of await drafts.leftOver(atOnce))
    try {
      const { status, revision, draft } = await flows.load(ref.id, tenant)
      const isCurrent = status === 'standing' && revision === ref.revision
      const isNamed = isCurrent && !draft.isInLog && draft.digest === ref.digest
      await (isNamed ? drafts.confirm(ref) : drafts.dropLeftOver(ref))
    } catch (error) {
      log.warn({ err: error }, 'a draft that no event was seen for stays: its flow cannot be read')
    }
}

export const sweepDrafts = async (deps: Deps, log: Ports['log'], signal: AbortSignal): Promise<void> => {
  const onFailure = (error: unknown) => log.warn({ err: error }, 'drafts that no event names were not swept')
  await repeat(() => dropLeftOver(deps, log), { signal, pauseAfter: () => betweenSweepsMs, onFailure })
}
