import pg from 'pg'

/** SQLSTATEs of faulty input: data exceptions, program limits. */
const refused = /^(22|54)/
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && refused.test(error.code ?? '')
