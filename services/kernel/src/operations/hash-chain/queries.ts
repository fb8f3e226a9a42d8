import type { Pool } from 'pg'
import type { Block } from './block.ts'

const columns = `log_id as "logId", number, day, after, up_to as "upTo", events, sha256, head`

export const findLastBlock = async (pool: Pool, logId: string): Promise<Block | undefined> => {
  const { rows } = await pool.query<Block>(
    `select ${columns} from log_block where log_id = $1 order by number desc limit 1`,
    [logId],
  )
  return rows[0]
}

export const findBlocks = async (pool: Pool, logId: string): Promise<Block[]> => {
  const { rows } = await pool.query<Block>(`select ${columns} from log_block where log_id = $1 order by number`, [
    logId,
  ])
  return rows
}

/** False where another process has made it. */
export const insertBlock = async (pool: Pool, block: Block): Promise<boolean> => {
  const { logId, number, day, after, upTo, events, sha256, head } = block
  const { rowCount } = await pool.query(
    `insert into log_block (log_id, number, day, after, up_to, events, sha256, head)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [logId, number, day, after, upTo, events, sha256, head],
  )
  return rowCount === 1
}
