import type { Usage } from '@prosa/contracts/http/accounts/usage'

const urgentMs = 3 * 86_400_000

/** Nothing is sent, or nothing will be within three days, until the address is confirmed. `nowMs` since 1970. */
export const isConfirmationUrgent = ({ confirmEmailBy }: Usage, nowMs: number): boolean =>
  confirmEmailBy !== null && Date.parse(confirmEmailBy) - nowMs <= urgentMs
