import type { Instant } from '@prosa/contracts/values/instant'
import { projectionWorker } from '@prosa/kernel/consumers/projections/parking/parked-tenants'
import { unbuilt } from '@prosa/kernel/consumers/projections/prepare-read-model'
import { refuse } from '@prosa/kernel/http/problem'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import { z } from 'zod'

const tablePosition = z.object({
  /** Of the read model: rows of another version are read anew. */
  version: z.int(),
  position: z.string(),
  time: z.string(),
  /** Tenants whose rows did not move: from where theirs are read next. */
  parked: z.array(z.tuple([z.string(), z.string()])),
})

/** Until where an answer has a table. */
export type TablePosition = z.infer<typeof tablePosition>

const currentText = `
  select c.version, c.position, coalesce((
    select json_agg(json_build_array(w.tenant, w.first)) from (
      select w.tenant, min(e.position) as first from parked_work w join parked_event e on e.work_id = w.id
      where w.worker = $2 and w.tenant is not null and not e.is_settled group by w.tenant
    ) w
  ), '[]') as parked
  from checkpoint c where c.name = $1`

/** Of the read model; refuses one that was never built. */
export const currentPosition = async (pool: Pool, readModel: string, now: Instant): Promise<TablePosition> => {
  const { rows } = await pool.query<{ version: number; position: string; parked: [string, string][] }>({
    name: 'position of an analytic table',
    text: currentText,
    values: [readModel, projectionWorker(readModel)],
  })
  const [found] = rows
  if (!found || found.version <= unbuilt) throw refuse('table_not_built')
  return { version: found.version, position: found.position, time: now, parked: found.parked }
}

/** From where a tenant's rows are read. */
export const afterOf = (before: TablePosition | undefined, tenantId: string): string => {
  if (!before) return ''
  const first = before.parked.find(([tenant]) => tenant === tenantId)?.[1]
  // Just before the first event that waited: positions are compared bytewise.
  return first === undefined || first > before.position ? before.position : first.slice(0, -1)
}

const contextOf = (table: string, reader: string) => `table ${table} ${reader}`

export const tablePositions = (box: Pick<SecretBox, 'token' | 'readToken'>) => ({
  encode: (table: string, reader: string, at: TablePosition) => box.token(JSON.stringify(at), contextOf(table, reader)),
  /** Refuses what is not of this table and reader. */
  decode(table: string, reader: string, token: string): TablePosition {
    const text = box.readToken(token, contextOf(table, reader))
    if (text === undefined) throw refuse('stream_position_unknown')
    return tablePosition.parse(JSON.parse(text))
  },
})
