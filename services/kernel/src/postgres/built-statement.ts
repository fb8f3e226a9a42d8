import knex, { type Knex } from 'knex'

/** knex without a connection: it builds statements out of conditions that come and go, and the pools run them. */
export const build: Knex = knex({ client: 'pg' })

export type BuiltQuery = Knex.QueryBuilder

/** As `Pool.query` takes it. The text follows from which conditions there are, never from their values. */
export const built = (query: BuiltQuery): { text: string; values: unknown[] } => {
  const { sql, bindings } = query.toSQL().toNative()
  return { text: sql, values: [...bindings] }
}
