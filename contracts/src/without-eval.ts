import { config } from 'zod/v4/core'

/** zod's JIT probe would violate the content security policy. Call before any schema exists. */
export const checkWithoutEval = (): void => void config({ jitless: true })
