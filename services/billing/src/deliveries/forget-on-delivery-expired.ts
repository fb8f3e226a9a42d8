import { deliverySubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'

/** Destroys the key, so no copy of the log is readable. */
export const forgetOnDeliveryExpired = (subjectKeys: Pick<SubjectKeys, 'erase'>): Reactor => ({
  name: 'forget-on-delivery-expired',
  categories: ['webhookDelivery'],
  key: ({ stream }) => stream,
  on: {
    async DeliveryExpired({ stream }) {
      await subjectKeys.erase([deliverySubject(parseStream(stream).id)])
    },
  },
})
