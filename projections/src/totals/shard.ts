import { hash } from 'node:crypto'

/**
 * In which of 4,096 rows something is counted. A handler changes one row, and what an event takes away from a total is known from
 * what the same thing counted before: so each row remembers that for a small part of all, and a total is the sum of the rows.
 */
export const shardOf = (id: string): string => hash('sha1', id, 'hex').slice(0, 3)
