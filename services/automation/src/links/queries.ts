import { selectList } from '@prosa/kernel/consumers/projections/table'
import type { Ports } from '@prosa/kernel/ports'
import { type FlowLinkRow, flowLinkTable } from './flow-links.ts'

export interface FoundLink extends Omit<FlowLinkRow, 'links'> {
  url: string
}

/** Visitors do not know the tenant. */
export const findLink = async (pool: Ports['pool'], token: string): Promise<FoundLink | undefined> => {
  const { rows } = await pool.query<FlowLinkRow>({
    name: 'flow link of token',
    text: `select ${selectList(flowLinkTable)} from flow_link where links @> $1::jsonb limit 1`,
    values: [JSON.stringify([{ token }])],
  })
  const [row] = rows
  const url = row?.links.find((link) => link.token === token)?.url
  return row && url !== undefined ? { ...row, url } : undefined
}
