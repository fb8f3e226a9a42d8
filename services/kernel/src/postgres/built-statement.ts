import knex, { type Knex } from 'knex'

/** Builds statements only; the pools run them. */
export const build: Knex = knex({ client: 'pg' })

export type BuiltQuery = Knex.QueryBuilder

/** The text depends on which conditions exist, never on values. */
export const built = (query: BuiltQuery): { text: string; values: unknown[] } => {
  const { sql, bindings } = query.toSQL().toNative()
  return { text: sql, values: [...bindings] }
}
