import pg from 'pg'

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** An error for the log of the process. What PostgreSQL reports of refused data quotes the data, which is personal: only its code is kept. */
export const loggable = (error: unknown) =>
  error instanceof pg.DatabaseError ? { reason: `${error.name} ${error.code}` } : { reason: nameOf(error), err: error }
