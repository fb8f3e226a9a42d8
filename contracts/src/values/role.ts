import { z } from 'zod'

/** What somebody may do beyond looking after an account of their own. */
export const role = z.enum(['admin', 'analyst'])

export type Role = z.infer<typeof role>
