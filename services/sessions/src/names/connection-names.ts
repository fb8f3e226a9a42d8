import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import * as table from './queries.ts'

/** Finds a tenant's connections by their name, a moment after they were added. */
export interface ConnectionNames {
  remember(connection: { connectionId: string; owner: string; name: string; position: string }): Promise<void>
  forget(connectionId: string): Promise<void>
  /** The oldest connection of this name that was not removed. */
  find(owner: string, name: string): Promise<string | undefined>
}

export const connectionNames = (pool: Pool, box: SecretBox): ConnectionNames => {
  const fingerprint = (owner: string, name: string) => box.fingerprint(`${owner} ${name}`, 'name of a connection')
  return {
    remember: ({ name, ...connection }) =>
      table.insertName(pool, { ...connection, fingerprint: fingerprint(connection.owner, name) }),
    forget: (connectionId) => table.deleteName(pool, connectionId),
    find: (owner, name) => table.oldestOfName(pool, owner, fingerprint(owner, name)),
  }
}
