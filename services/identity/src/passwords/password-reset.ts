import type { EventOf } from '@prosa/contracts/events/all-events'
import type { passwordResetEvents } from '@prosa/contracts/events/identity'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Decider } from '@prosa/kernel/domain/decider'
import type { AccountThen } from '../accounts/user-command.ts'

export interface OpenReset extends AccountThen {
  resetId: string
  delivery: 'mail' | 'reply'
  expiresAt: Instant
}

export type PasswordResetCommand =
  | { type: 'RequestReset'; data: OpenReset }
  | { type: 'CompleteReset'; data: { resetId: string } }

export type PasswordResetEvent = EventOf<typeof passwordResetEvents>

/** Only the last link is valid, once. */
export const passwordReset: Decider<
  PasswordResetCommand,
  PasswordResetEvent,
  { open: OpenReset | null },
  'reset_link_invalid'
> = {
  initial: { open: null },
  decide: {
    RequestReset: ({ open }, data) =>
      open?.resetId === data.resetId ? [] : [{ type: 'PasswordResetRequested', data }],
    CompleteReset: ({ open }, { resetId }) =>
      open?.resetId === resetId ? [{ type: 'PasswordResetCompleted', data: { resetId } }] : [],
  },
  evolve: {
    PasswordResetRequested: (_, data) => ({ open: data }),
    PasswordResetCompleted: () => ({ open: null }),
  },
}
