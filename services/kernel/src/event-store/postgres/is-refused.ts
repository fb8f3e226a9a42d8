import pg from 'pg'

/** Data exceptions and program limits: what was sent is at fault. */
const refused = /^(22|54)/
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && refused.test(error.code ?? '')
