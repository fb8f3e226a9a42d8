import type { SecretBox } from '@prosa/kernel/privacy/secret-box'

/** Names what was bought with an e-mail address, without the address: a keyed hash, the same however it was typed. */
export const buyerKeyOf = (box: Pick<SecretBox, 'fingerprint'>, email: string): string =>
  box.fingerprint(email.trim().toLowerCase(), 'buyer of an order')
