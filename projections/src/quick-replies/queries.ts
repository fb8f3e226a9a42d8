import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import type { Pool } from 'pg'

/** By shortcut, ignoring case and accents. */
export const findQuickReplies = async (pool: Pool, tenant: string): Promise<QuickReply[]> => {
  const { rows } = await pool.query<QuickReply>({
    name: 'quick replies of tenant',
    text: `select id, shortcut, content, is_active as "isActive" from quick_reply
           where owner = $1 order by sort_name, id`,
    values: [tenant],
  })
  return rows
}
