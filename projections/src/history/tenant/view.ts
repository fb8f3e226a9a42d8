import { everyAccount } from '../records.ts'
import type { TimelineRow } from '../timeline/table.ts'

/** What one tenant sees of threads, which may be of several: a plan that changed, lists that were read. */
export interface TenantView {
  tenantId: string
  /** Keys of records that are its own without saying so, as an order that was assigned to it. */
  records: readonly string[]
}

/** Of running Prosa, and raw deliveries. */
const internal: readonly string[] = ['work', 'webhook', 'erasedCharge']

/** Parameters: tenant, records. What another account has in such a record (a former holder, a reading of theirs) is not its own. */
export const ownRows = (tenant: string, records: string): string => `(
  group_name not in (${internal.map((group) => `'${group}'`).join(', ')}) and (
    account in (${tenant}, '${everyAccount}')
    or (account is null and (owner = ${tenant} or (owner is null and record = any(${records}))))
  ))`

/** The same as `ownRows`. */
export const isOwnRow = (
  { groupName, account, tenant, record }: Pick<TimelineRow, 'groupName' | 'account' | 'tenant' | 'record'>,
  { tenantId, records }: TenantView,
): boolean => {
  if (internal.includes(groupName)) return false
  if (account !== null) return account === tenantId || account === everyAccount
  return tenant === tenantId || (tenant === null && records.includes(record))
}

/** Words on a reading of all accounts may be about another one (docs/decisions/0059). */
export const mayNameOthers = ({ account }: Pick<TimelineRow, 'account'>): boolean => account === everyAccount

/** What the tenant has a page or a drawer for. */
export const shownKinds: readonly string[] = ['contact', 'flow', 'folder', 'connection', 'order']
