import { deliverySubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'

/** Destroys the key of a raw body whose time is over: no copy of the log can show it any more. */
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
