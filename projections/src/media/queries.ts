import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Pool } from 'pg'
import { type MediaRow, mediaTable } from './table.ts'

/** Undefined before the file's first event. */
export const findMedia = async (pool: Pool, owner: string, id: string): Promise<MediaRow | undefined> => {
  const { rows } = await pool.query<MediaRow>({
    name: 'media of owner',
    text: `select ${selectList(mediaTable)} from media where id = $1 and owner = $2`,
    values: [id, owner],
  })
  return rows[0]
}
