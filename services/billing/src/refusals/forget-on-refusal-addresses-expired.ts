import { refusalsSubject } from '@prosa/contracts/events/subjects'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'

export const forgetOnRefusalAddressesExpired = (subjectKeys: Pick<SubjectKeys, 'erase'>): Reactor => ({
  name: 'forget-on-refusal-addresses-expired',
  categories: ['refusedDeliveries'],
  key: ({ data, id }) => ('reportId' in data ? data.reportId : id),
  on: {
    async RefusalAddressesExpired({ data }) {
      await subjectKeys.erase([refusalsSubject(data.reportId)])
    },
  },
})
