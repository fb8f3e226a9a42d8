import type { ApiKeyShown } from '@prosa/contracts/http/keys'
import type { KeyReach, KeyScope } from '@prosa/contracts/values/key'
import type { Pool } from 'pg'

interface Row extends Omit<ApiKeyShown, 'scopes' | 'reach'> {
  reach: KeyReach
  scopes: string
}

/** The oldest first. */
export const findApiKeys = async (pool: Pool, tenant: string): Promise<ApiKeyShown[]> => {
  const { rows } = await pool.query<Row>({
    name: 'api keys of tenant',
    text: `select id, name, reach, scopes, with_personal as "withPersonal", created_at as "createdAt",
             expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
           from api_key where owner = $1 order by created_at, id`,
    values: [tenant],
  })
  return rows.map((row) => ({ ...row, scopes: row.scopes.split(' ') as KeyScope[] }))
}
