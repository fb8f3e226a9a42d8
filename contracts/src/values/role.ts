import { z } from 'zod'

/** Rights beyond the own account. */
export const role = z.enum(['admin', 'analyst'])

export type Role = z.infer<typeof role>
