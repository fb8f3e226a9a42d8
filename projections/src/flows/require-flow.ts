import { refuse } from '@prosa/kernel/http/problem'
import type { Pool } from 'pg'
import { type FoundFlow, findFlow } from './queries.ts'

/** Refuses unknown, foreign and malformed ids alike. */
export const requireFlow = async (pool: Pool, tenant: string, id: string): Promise<FoundFlow> => {
  const flow = await findFlow(pool, tenant, id.toLowerCase())
  if (!flow) throw refuse('flow_not_found')
  return flow
}
