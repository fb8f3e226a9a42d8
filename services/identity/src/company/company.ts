import type { EventOf } from '@prosa/contracts/events/all-events'
import type { companyEvents } from '@prosa/contracts/events/identity'
import { type Company, unknownCompany } from '@prosa/contracts/http/accounts/company'
import type { Decider } from '@prosa/kernel/domain/decider'

export type CompanyEvent = EventOf<typeof companyEvents>

type Described = Omit<Company, 'notifications' | 'analytics'>

export type CompanyCommand =
  | { type: 'DescribeCompany'; data: Described }
  /** Omitted fields do not change. */
  | {
      type: 'ChooseForCompany'
      data: { notifications?: boolean | undefined; analytics?: boolean | undefined }
    }

const isDescribed = (known: Company, { name, email, phone, website, address }: Described) =>
  known.name === name &&
  known.email === email &&
  known.phone === phone &&
  known.website === website &&
  known.address === address

export const company: Decider<CompanyCommand, CompanyEvent, Company, never> = {
  initial: unknownCompany,

  decide: {
    DescribeCompany: (known, data) => (isDescribed(known, data) ? [] : [{ type: 'CompanyDescribed', data }]),
    ChooseForCompany: (known, { notifications = known.notifications, analytics = known.analytics }) =>
      notifications === known.notifications && analytics === known.analytics
        ? []
        : [{ type: 'CompanyChoicesMade', data: { notifications, analytics } }],
  },

  evolve: {
    CompanyDescribed: (known, { name, email, phone, website, address }) => ({
      ...known,
      ...{ name, email, phone, website, address },
    }),
    CompanyChoicesMade: (known, { notifications, analytics }) => ({ ...known, notifications, analytics }),
  },
}
