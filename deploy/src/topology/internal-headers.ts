/**
 * What services take from each other or from the gateway, and so never from outside; `*` ends a prefix. Sessions travel in a cookie: no
 * browser sends `Authorization`.
 */
export const internalHeaders = [
  'X-Prosa-*',
  'Authorization',
  'Proxy-Authorization',
  'Forwarded',
  'Via',
  'X-Real-Ip',
] as const

/** Set by the gateway, and taken from outside only from a proxy of PROSA_GATEWAY_TRUSTS. */
export const forwardedHeaders = ['X-Forwarded-*'] as const
