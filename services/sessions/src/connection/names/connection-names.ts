import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { type ConnectionNameRow, connectionNameProjection } from './connection-name-projection.ts'
import { findConnectionsOf, oldestOfName } from './queries.ts'

interface ConnectionNamePorts extends Pick<Ports, 'pool' | 'readModels'> {
  box: Pick<SecretBox, 'fingerprint'>
}

/** Eventually consistent. */
export interface ConnectionNames {
  projection: Projection<ConnectionNameRow>
  /** The oldest that was not removed. */
  find(tenant: string, name: string): Promise<string | undefined>
  /** Not removed; complete up to the position. Throws `StoreUnavailable` while the read model lags or lacks events of the tenant. */
  ofTenant(tenant: string, upTo: Position): Promise<string[]>
}

const maxWaitMs = 2000

export const connectionNames = ({ pool, box, readModels }: ConnectionNamePorts): ConnectionNames => {
  const fingerprint = (tenant: string, name: string) => box.fingerprint(`${tenant} ${name}`, 'name of a connection')
  const projection = connectionNameProjection(fingerprint)
  const names = [projection.name]
  return {
    projection,
    find: (tenant, name) => oldestOfName(pool, tenant, fingerprint(tenant, name)),
    async ofTenant(tenant, upTo) {
      if (!(await readModels.reached(names, upTo, maxWaitMs)) || readModels.isParked(names, tenant))
        throw new StoreUnavailable('the connections of the account are not known up to this position of the log yet')
      return findConnectionsOf(pool, tenant)
    },
  }
}
