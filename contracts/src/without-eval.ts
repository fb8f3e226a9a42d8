import { config } from 'zod/v4/core'

/**
 * Lets zod check without functions that it compiles. Before any schema exists it would try whether it may, and a content security policy
 * reports that attempt.
 */
export const checkWithoutEval = (): void => void config({ jitless: true })
