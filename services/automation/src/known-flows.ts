import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { flowIds } from './flow-ids.ts'
import { countFlowIds, findFlowIds, findFlowsIn } from './queries.ts'

/** Includes this process's own writes. */
export interface KnownFlows {
  /** Later reads include this position. */
  note(tenant: string, position: Position | null): void
  count(tenant: string, kind: 'flow' | 'folder'): Promise<number>
  flowsIn(tenant: string, folderId: string): Promise<string[]>
  all(tenant: string, kind: 'flow' | 'folder'): Promise<string[]>
  /** Throws if the read model lags: deletions must not miss anything. */
  requireUpTo(position: Position): Promise<void>
}

const maxWaitMs = 2000
const maxAccounts = 10_000

export const knownFlows = ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): KnownFlows => {
  const latest = lruMap<string, Position>(maxAccounts)
  const shown = async (tenant: string) => {
    const position = latest.get(tenant)
    if (position !== undefined) await readModels.reached([flowIds.name], position, maxWaitMs)
  }
  return {
    note(tenant, position) {
      if (position !== null && position > (latest.get(tenant) ?? '')) latest.set(tenant, position)
    },
    async count(tenant, kind) {
      await shown(tenant)
      return countFlowIds(pool, tenant, kind)
    },
    async flowsIn(tenant, folderId) {
      await shown(tenant)
      return findFlowsIn(pool, tenant, folderId)
    },
    async requireUpTo(position) {
      if (await readModels.reached([flowIds.name], position, maxWaitMs)) return
      throw new StoreUnavailable('the ids of flows are not known up to this position of the log yet')
    },
    async all(tenant, kind) {
      await shown(tenant)
      return findFlowIds(pool, tenant, kind)
    },
  }
}
