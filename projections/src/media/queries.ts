import type { Pool } from 'pg'
import { selectList } from '../runner/table.ts'
import { type MediaRow, mediaTable } from './table.ts'

/** A file of this tenant; undefined when there is none, or nobody has heard of it yet. */
export const findMedia = async (pool: Pool, owner: string, id: string): Promise<MediaRow | undefined> => {
  const { rows } = await pool.query<MediaRow>({
    name: 'media of owner',
    text: `select ${selectList(mediaTable)} from media where id = $1 and owner = $2`,
    values: [id, owner],
  })
  return rows[0]
}
