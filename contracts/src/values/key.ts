import { z } from 'zod'
import { keyScopes, platformScopes } from './key-scopes.ts'

export const keyScope = z.enum(keyScopes)
export const platformScope = z.enum(platformScopes)

/** `platform`: all tenants, pseudonymised; the holder must be an analyst. */
export const keyReach = z.enum(['tenant', 'platform'])

export const maxKeyDays = 366

export type KeyScope = z.infer<typeof keyScope>
export type KeyReach = z.infer<typeof keyReach>
