import type { RateLimit } from '@prosa/kernel/http/rate-limits'

const minute = 60

/**
 * Guessing gets slow and dear, and nobody can lock an account from elsewhere: from one address five guesses at one account,
 * thirty at all (an office shares one); from everywhere together the account only answers later. A browser in which the
 * account signed in before is counted by itself.
 */
export const loginLimits: readonly RateLimit[] = [
  { per: 'address and email', max: 5, windowSeconds: 5 * minute, counts: 'failures', beyond: 'refuse' },
  { per: 'address', max: 30, windowSeconds: 5 * minute, counts: 'failures', beyond: 'refuse' },
  { per: 'email', max: 15, windowSeconds: 5 * minute, counts: 'failures', beyond: 'delay' },
  // Each sign-in is an event and a session: a program that signs in for each request would fill the log with them.
  { per: 'address and email', max: 200, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

export const registerLimits: readonly RateLimit[] = [
  { per: 'address', max: 5, windowSeconds: 30 * minute, counts: 'requests', beyond: 'refuse' },
]

/**
 * Each request may send a mail to somebody who did not ask for it, and nobody may keep the owner of an account from asking: a
 * refusal meets the address that asks. What comes for one e-mail address from everywhere is answered as always, but beyond
 * the limit the link that was mailed last stands for it while that is young: see `resets.request`.
 */
export const forgotPasswordLimits: readonly RateLimit[] = [
  { per: 'address and email', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
  { per: 'address', max: 10, windowSeconds: 30 * minute, counts: 'requests', beyond: 'refuse' },
  { per: 'email', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'mark' },
]

export const resetPasswordLimits: readonly RateLimit[] = [
  { per: 'address', max: 10, windowSeconds: 30 * minute, counts: 'failures', beyond: 'refuse' },
]

/** Against somebody who found an open browser and guesses at the password. */
export const changePasswordLimits: readonly RateLimit[] = [
  { per: 'user', max: 5, windowSeconds: 15 * minute, counts: 'failures', beyond: 'refuse' },
]

/** The same, and each change of the address mails its former one: with two of them, that is a mail to a stranger each time. */
export const profileLimits: readonly RateLimit[] = [
  ...changePasswordLimits,
  { per: 'user', max: 20, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** Each request sends a mail to an address that may be somebody else's. */
export const sendConfirmationLimits: readonly RateLimit[] = [
  { per: 'user', max: 5, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

export const confirmEmailLimits: readonly RateLimit[] = [
  { per: 'address', max: 20, windowSeconds: 30 * minute, counts: 'failures', beyond: 'refuse' },
]

/** Each picture costs up to a second of the processor. */
export const photoLimits: readonly RateLimit[] = [
  { per: 'user', max: 30, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** Each message mails the people who help; nobody has more to ask within an hour. */
export const supportLimits: readonly RateLimit[] = [
  { per: 'user', max: 10, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]

/** A new address, or a password, mails somebody. */
export const administrationLimits: readonly RateLimit[] = [
  { per: 'user', max: 100, windowSeconds: 60 * minute, counts: 'requests', beyond: 'refuse' },
]
