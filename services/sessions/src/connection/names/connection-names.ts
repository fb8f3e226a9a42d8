import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import { type ConnectionNameRow, connectionNameProjection } from './connection-name-projection.ts'
import { oldestOfName } from './queries.ts'

/** Eventually consistent. */
export interface ConnectionNames {
  projection: Projection<ConnectionNameRow>
  /** The oldest that was not removed. */
  find(owner: string, name: string): Promise<string | undefined>
}

export const connectionNames = (pool: Pool, box: Pick<SecretBox, 'fingerprint'>): ConnectionNames => {
  const fingerprint = (owner: string, name: string) => box.fingerprint(`${owner} ${name}`, 'name of a connection')
  return {
    projection: connectionNameProjection(fingerprint),
    find: (owner, name) => oldestOfName(pool, owner, fingerprint(owner, name)),
  }
}
