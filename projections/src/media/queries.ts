import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Pool } from 'pg'
import { type MediaRow, mediaTable } from './table.ts'

/** Undefined before the file's first event. */
export const findMedia = async (pool: Pool, tenant: string, id: string): Promise<MediaRow | undefined> => {
  const { rows } = await pool.query<MediaRow>({
    name: 'media of tenant',
    text: `select ${selectList(mediaTable)} from media where id = $1 and owner = $2`,
    values: [id, tenant],
  })
  return rows[0]
}

/** By id. */
export const findFiles = async (
  pool: Pool,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MediaRow>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<MediaRow>({
    name: 'files of tenant',
    text: `select ${selectList(mediaTable)} from media where id = any($1) and owner = $2`,
    values: [ids, tenant],
  })
  return new Map(rows.map((row) => [row.id, row]))
}
