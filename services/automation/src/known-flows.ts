import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { flowIds } from './flow-ids.ts'
import { countFlowIds, findFlowIds, findFlowsIn } from './queries.ts'

/** Includes this process's own writes. */
export interface KnownFlows {
  /** Later reads include this position. */
  note(owner: string, position: Position | null): void
  count(owner: string, kind: 'flow' | 'folder'): Promise<number>
  flowsIn(owner: string, folderId: string): Promise<string[]>
  all(owner: string, kind: 'flow' | 'folder'): Promise<string[]>
  /** Throws if the read model lags: deletions must not miss anything. */
  requireUpTo(position: Position): Promise<void>
}

const maxWaitMs = 2000
const maxAccounts = 10_000

export const knownFlows = ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): KnownFlows => {
  const latest = lruMap<string, Position>(maxAccounts)
  const shown = async (owner: string) => {
    const position = latest.get(owner)
    if (position !== undefined) await readModels.reached([flowIds.name], position, maxWaitMs)
  }
  return {
    note(owner, position) {
      if (position !== null && position > (latest.get(owner) ?? '')) latest.set(owner, position)
    },
    async count(owner, kind) {
      await shown(owner)
      return countFlowIds(pool, owner, kind)
    },
    async flowsIn(owner, folderId) {
      await shown(owner)
      return findFlowsIn(pool, owner, folderId)
    },
    async requireUpTo(position) {
      if (await readModels.reached([flowIds.name], position, maxWaitMs)) return
      throw new StoreUnavailable('the ids of flows are not known up to this position of the log yet')
    },
    async all(owner, kind) {
      await shown(owner)
      return findFlowIds(pool, owner, kind)
    },
  }
}
