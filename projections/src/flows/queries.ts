import type { ListedProject } from '@prosa/contracts/http/administration/admin-lists'
import type { AutomationProject } from '@prosa/contracts/http/dashboard'
import type { Flow, FlowDetail } from '@prosa/contracts/http/flows'
import type { Pool } from 'pg'
import { type AccountShown, accountOf } from '../users/account-of.ts'

const status = `case when version is null then 'draft' when is_on then 'active' else 'inactive' end`
const listed = `id, name, folder_id as "folderId", ${status} as status, node_count as "nodeCount", version,
                created_at as "createdAt", updated_at as "updatedAt"`

/** Latest change first. */
export const findFlows = async (pool: Pool, tenant: string): Promise<Flow[]> => {
  const { rows } = await pool.query<Flow>({
    name: 'flows of tenant',
    text: `select ${listed} from flow where owner = $1 order by updated_at desc, id`,
    values: [tenant],
  })
  return rows
}

export type FoundFlow = FlowDetail & { draftDigest: string | null }

/** The draft only if the log holds it. */
export const findFlow = async (pool: Pool, tenant: string, id: string): Promise<FoundFlow | undefined> => {
  const { rows } = await pool.query<FoundFlow>({
    name: 'flow of tenant',
    text: `select ${listed}, document, draft_digest as "draftDigest", revision, revision is distinct from published_revision as "isChanged"
           from flow where id = $1 and owner = $2`,
    values: [id, tenant],
  })
  return rows[0]
}

/** Latest change first. */
export const findProjects = async (pool: Pool, tenant: string): Promise<AutomationProject[]> => {
  const { rows } = await pool.query<AutomationProject>({
    name: 'projects of tenant',
    text: `select id, name, is_on as "isActive", case when is_on then 'active' else 'paused' end as status,
                  node_count as "nodeCount", created_at as "createdAt", updated_at as "updatedAt"
           from flow where owner = $1 order by updated_at desc, id`,
    values: [tenant],
  })
  return rows
}

interface ProjectOfAll extends Omit<ListedProject, 'account'>, AccountShown {
  place: string
}

/** All tenants, latest first. Administrators only. */
export const findProjectsOfAll = async (
  pool: Pool,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ProjectOfAll[]> => {
  const { rows } = await pool.query<ProjectOfAll>({
    name: `projects of all ${before === undefined ? 'first' : 'before'}`,
    text: `select f.id, f.name, f.created_at as "createdAt", f.is_sample as "isSample", case when f.is_on then 'active' else 'paused' end as status,
                  f.place, u.id as "accountId", u.first_name as "firstName", u.last_name as "lastName", u.email
           from (
             select * from flow ${before === undefined ? '' : 'where place < $2 collate "C"'}
             order by place desc limit $1
           ) as f
           left join listed_user u on u.id = f.owner
           order by f.place desc`,
    values: before === undefined ? [limit] : [limit, before],
  })
  return rows
}

export const shownProjectOfAll = (row: ProjectOfAll): ListedProject => {
  const { id, name, createdAt, status, isSample } = row
  return { id, name, createdAt, status, isSample, account: accountOf(row) }
}

/** Created by people; null while unknown for some rows. */
export const countProjects = async (pool: Pool): Promise<number | null> => {
  const { rows } = await pool.query<{ count: number; isKnown: boolean }>({
    name: 'count projects',
    text: `select count(*) filter (where not is_sample)::int as count, count(*) = count(is_sample) as "isKnown" from flow`,
  })
  return rows[0]?.isKnown ? rows[0].count : null
}
