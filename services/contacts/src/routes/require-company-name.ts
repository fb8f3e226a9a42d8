import { namesCompany } from '@prosa/contracts/flows/flow-texts'
import { refusals } from '@prosa/contracts/refusals'
import { refuse } from '@prosa/kernel/http/problem'
import type { ContactHandlers } from '../handlers.ts'

/** `{empresa}` without a name would leave a hole in what customers read. */
export const requireCompanyName = async (
  { companies }: Pick<ContactHandlers, 'companies'>,
  tenant: string,
  field: string,
  text: string | undefined,
): Promise<void> => {
  if (text === undefined || !namesCompany(text) || (await companies.load(tenant, tenant)) !== '') return
  throw refuse('company_name_missing', [{ field, message: refusals.company_name_missing.title }])
}
