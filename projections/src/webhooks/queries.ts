import type { WebhookShown } from '@prosa/contracts/http/webhooks'
import type { Pool } from 'pg'

type Row = Omit<WebhookShown, 'types'> & { types: string }

/** The oldest first. */
export const findWebhooks = async (pool: Pool, owner: string): Promise<WebhookShown[]> => {
  const { rows } = await pool.query<Row>({
    name: 'webhooks of owner',
    text: `select id, name, address, types, with_personal as "withPersonal", status, disabled_cause as "disabledCause",
             created_at as "createdAt", status_since as "statusSince"
           from webhook where owner = $1 order by created_at, id`,
    values: [owner],
  })
  return rows.map((row) => ({ ...row, types: row.types.split(' ') }))
}
