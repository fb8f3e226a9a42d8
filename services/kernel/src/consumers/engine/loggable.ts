import pg from 'pg'

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** PostgreSQL's messages quote row data, which is personal: only the code is logged. */
export const loggable = (error: unknown) =>
  error instanceof pg.DatabaseError ? { reason: `${error.name} ${error.code}` } : { reason: nameOf(error), err: error }
