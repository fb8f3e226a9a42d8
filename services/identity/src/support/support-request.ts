import type { EventOf } from '@prosa/contracts/events/all-events'
import type { supportRequestEvents } from '@prosa/contracts/events/identity'
import type { SupportPriority } from '@prosa/contracts/values/support'
import type { Decider } from '@prosa/kernel/domain/decider'

export type SupportRequestCommand =
  | { type: 'RequestSupport'; data: { subject: string; message: string; priority: SupportPriority } }
  | { type: 'AnswerSupportRequest'; data: Record<never, never> }

export type SupportRequestEvent = EventOf<typeof supportRequestEvents>

export const supportRequest: Decider<
  SupportRequestCommand,
  SupportRequestEvent,
  { status: 'absent' | 'open' | 'answered' },
  'support_request_not_found'
> = {
  initial: { status: 'absent' },
  decide: {
    RequestSupport: ({ status }, data) => (status === 'absent' ? [{ type: 'SupportRequested', data }] : []),
    AnswerSupportRequest: ({ status }) => {
      if (status === 'absent') return { rejected: 'support_request_not_found' }
      return status === 'open' ? [{ type: 'SupportRequestAnswered', data: {} }] : []
    },
  },
  evolve: {
    SupportRequested: () => ({ status: 'open' }),
    SupportRequestAnswered: () => ({ status: 'answered' }),
  },
}
