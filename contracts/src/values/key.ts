import { z } from 'zod'

/** Reading what is published: keys of analysts have only these. */
export const platformScopes = ['streams', 'tables'] as const

/** What a key opens. `key-words.ts` has the sentences. */
export const keyScopes = [
  ...platformScopes,
  'connections:read',
  'contacts:read',
  'contacts:write',
  'conversations:read',
  'messages:send',
  'flows:start',
] as const
export const keyScope = z.enum(keyScopes)
export const platformScope = z.enum(platformScopes)

/** `platform`: all tenants, pseudonymised; the holder must be an analyst. */
export const keyReach = z.enum(['tenant', 'platform'])

export const maxKeyDays = 366

export type KeyScope = z.infer<typeof keyScope>
export type PlatformScope = z.infer<typeof platformScope>
export type KeyReach = z.infer<typeof keyReach>
