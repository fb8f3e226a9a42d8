import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Position } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { flowPlaces } from './flow-places.ts'
import { countPlaces, findFlowsIn, findPlaces } from './queries.ts'

/** Includes this process's own writes. */
export interface KnownPlaces {
  /** Later reads include this position. */
  note(owner: string, position: Position | null): void
  count(owner: string, kind: 'flow' | 'folder'): Promise<number>
  flowsIn(owner: string, folderId: string): Promise<string[]>
  all(owner: string, kind: 'flow' | 'folder'): Promise<string[]>
  /** Throws if the read model lags: deletions must not miss anything. */
  requireUpTo(position: Position): Promise<void>
}

const patienceMs = 2000
const maxAccounts = 10_000

export const knownPlaces = ({ pool, readModels }: Pick<Ports, 'pool' | 'readModels'>): KnownPlaces => {
  const latest = lruMap<string, Position>(maxAccounts)
  const shown = async (owner: string) => {
    const position = latest.get(owner)
    if (position !== undefined) await readModels.reached([flowPlaces.name], position, patienceMs)
  }
  return {
    note(owner, position) {
      if (position !== null && position > (latest.get(owner) ?? '')) latest.set(owner, position)
    },
    async count(owner, kind) {
      await shown(owner)
      return countPlaces(pool, owner, kind)
    },
    async flowsIn(owner, folderId) {
      await shown(owner)
      return findFlowsIn(pool, owner, folderId)
    },
    async requireUpTo(position) {
      if (await readModels.reached([flowPlaces.name], position, patienceMs)) return
      throw new StoreUnavailable('the places of flows are not known up to this place of the log yet')
    },
    async all(owner, kind) {
      await shown(owner)
      return findPlaces(pool, owner, kind)
    },
  }
}
