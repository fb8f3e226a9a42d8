import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'

const minute = 60

/**
 * Slows guessing without letting others block an account: limits per address allow for shared offices; overall an account only answers
 * later. Known browsers count separately.
 */
export const loginLimits: readonly RateLimit[] = [
  { per: 'address and email', max: 5, windowSeconds: 5 * minute, counts: 'failures', beyond: 'refuse' },
  { per: 'address', max: 30, windowSeconds: 5 * minute, counts: 'failures', beyond: 'refuse' },
  { per: 'email', max: 15, windowSeconds: 5 * minute, counts: 'failures', beyond: 'delay' },
  // Each sign-in adds an event and a session.
  { per: 'address and email', max: 200, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

export const registerLimits: readonly RateLimit[] = [
  { per: 'address', max: 5, windowSeconds: 30 * minute, counts: 'requests', beyond: 'refuse' },
]

/**
 * Limits unwanted mail without blocking the holder: refuses only the requesting address. Beyond the limit per e-mail, a recent link is
 * reused: see `resets.request`.
 */
export const forgotPasswordLimits: readonly RateLimit[] = [
  { per: 'address and email', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
  { per: 'address', max: 10, windowSeconds: 30 * minute, counts: 'requests', beyond: 'refuse' },
  { per: 'email', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'mark' },
]

export const resetPasswordLimits: readonly RateLimit[] = [
  { per: 'address', max: 10, windowSeconds: 30 * minute, counts: 'failures', beyond: 'refuse' },
]

/** Slows guessing in an unattended browser. */
export const changePasswordLimits: readonly RateLimit[] = [
  { per: 'user', max: 5, windowSeconds: 15 * minute, counts: 'failures', beyond: 'refuse' },
]

/** Also, address changes mail the former address, possibly a stranger's. */
export const profileLimits: readonly RateLimit[] = [
  ...changePasswordLimits,
  { per: 'user', max: 20, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** Each request may mail a stranger. */
export const sendConfirmationLimits: readonly RateLimit[] = [
  { per: 'user', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

export const confirmEmailLimits: readonly RateLimit[] = [
  { per: 'address', max: 20, windowSeconds: 30 * minute, counts: 'failures', beyond: 'refuse' },
]

/** Each photo may take a second of CPU. */
export const photoLimits: readonly RateLimit[] = [
  { per: 'user', max: 30, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** Each request mails support staff. */
export const supportLimits: readonly RateLimit[] = [
  { per: 'user', max: 10, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** A new address or password sends a mail. */
export const administrationLimits: readonly RateLimit[] = [
  { per: 'user', max: 100, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]
