import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Reach } from '@prosa/kernel/http/outbound/outbound'
import type { Ports } from '@prosa/product/ports'
import type { FlowHandlers } from './flow-handlers.ts'
import type { KnownFlows } from './known-flows.ts'

export type FlowDeps = FlowHandlers &
  Pick<Ports, 'store' | 'codec' | 'drafts' | 'spending'> & { knownFlows: KnownFlows; reach: Reach }

const maxConcurrent = 8

/** Returns the last event's position. */
export const deleteFlows = async (
  { flows, knownFlows, drafts }: Pick<FlowDeps, 'flows' | 'knownFlows' | 'drafts'>,
  ids: readonly string[],
  context: CommandContext & { tenant: string },
): Promise<Position | null> => {
  const left = [...ids]
  let latest: Position | null = null
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const outcome = await flows(id, { type: 'DeleteFlow', data: {} }, context)
      if (outcome.ok && outcome.position !== null && outcome.position > (latest ?? '')) latest = outcome.position
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  await drafts.drop(context.tenant, ids)
  knownFlows.note(context.tenant, latest)
  return latest
}

export const deleteFlowsIn = async (
  deps: Pick<FlowDeps, 'flows' | 'knownFlows' | 'drafts'>,
  tenant: string,
  folderId: string,
  context: CommandContext,
): Promise<Position | null> =>
  deleteFlows(deps, await deps.knownFlows.flowsIn(tenant, folderId), { ...context, tenant })
