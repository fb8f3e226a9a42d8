/**
 * What services take from each other or from the gateway, and so never from outside; `*` ends a prefix.
 */
export const internalHeaders = ['X-Prosa-*', 'Proxy-Authorization', 'Forwarded', 'Via', 'X-Real-Ip'] as const

/** Set by the gateway, and taken from outside only from a proxy of PROSA_GATEWAY_TRUSTS. */
export const forwardedHeaders = ['X-Forwarded-*'] as const

/** A program's key, let in only where an endpoint takes one: sessions travel in a cookie, and no browser sends it. */
export const keyHeader = 'Authorization'
