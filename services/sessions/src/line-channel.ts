/** Wakes the line of a connection: a queued message or a request for a pairing code. Empty: a lease is free. */
export const lineChannel = 'prosa_outbox'
