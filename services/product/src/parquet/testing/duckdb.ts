import { DuckDBInstance } from '@duckdb/node-api'

type DuckRow = Record<string, unknown>

export interface DuckDb {
  /** Values as JSON: integers of 64 bits and instants are text. */
  query(sql: string): Promise<DuckRow[]>
  close(): void
}

/** In memory. Dates are UTC. */
export const openDuckDb = async (): Promise<DuckDb> => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  return {
    async query(sql) {
      const reader = await connection.runAndReadAll(sql)
      return reader.getRowObjectsJson() as DuckRow[]
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
