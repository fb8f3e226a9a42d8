import type { SecretBox } from '@prosa/kernel/privacy/secret-box'

/** Keyed hash of a normalized e-mail address. */
export const buyerKeyOf = (box: Pick<SecretBox, 'fingerprint'>, email: string): string =>
  box.fingerprint(email.trim().toLowerCase(), 'buyer of an order')
