import { z } from 'zod'

/** What of tenants' personal data somebody who administers may read. The lists are of all tenants, the rest is of one. */
export const readingKind = z.enum([
  'users',
  'users_file',
  'contacts',
  'contacts_file',
  'messages',
  'messages_file',
  'projects',
  'transactions',
  'transactions_file',
  'support_requests',
  'history',
  'receipt',
  'delivery',
  'account_file',
])

/** Why somebody who administers needs to read it. `other` says it in words. */
export const readingPurpose = z.enum(['support', 'billing', 'incident', 'abuse', 'legal', 'other'], {
  error: 'Escolha por que você precisa ver estes dados.',
})

export type ReadingKind = z.infer<typeof readingKind>
export type ReadingPurpose = z.infer<typeof readingPurpose>
