import { z } from 'zod'

/** What a key opens. */
export const keyScopes = ['streams', 'tables'] as const
export const keyScope = z.enum(keyScopes)

/** `platform`: all tenants, pseudonymised; the holder must be an analyst. */
export const keyReach = z.enum(['tenant', 'platform'])

export const maxKeyDays = 366

export type KeyScope = z.infer<typeof keyScope>
export type KeyReach = z.infer<typeof keyReach>
