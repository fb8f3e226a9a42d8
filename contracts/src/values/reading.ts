import { z } from 'zod'

/** Lists cover all tenants, the rest one. */
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
  'history_file',
  'receipt',
  'delivery',
  'account_file',
])

/** `other` needs details. */
export const readingPurpose = z.enum(['support', 'billing', 'incident', 'abuse', 'legal', 'other'], {
  error: 'Escolha por que você precisa ver estes dados.',
})

export type ReadingKind = z.infer<typeof readingKind>
export type ReadingPurpose = z.infer<typeof readingPurpose>
