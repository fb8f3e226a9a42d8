import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { z } from 'zod'
import { openPool } from './pool.ts'
import { createDatabase, dropDatabase } from './queries.ts'
import { startTestCluster } from './test-cluster.ts'
import type {} from './vitest-global-setup.ts'

export interface TestPostgres {
  url: string
  pool: Pool
  /** Ends the pool and removes the database with whoever is connected to it. */
  drop(): Promise<void>
}

let server: Promise<string> | undefined

/** A fresh, empty database on the one server that all tests of a run share. */
export const testPostgres = async (): Promise<TestPostgres> => {
  server ??= findServer()
  const serverUrl = await server
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createDatabase(serverUrl, name)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const pool = openPool(url)
  return {
    url,
    pool,
    async drop() {
      if (!pool.ended) await pool.end()
      await dropDatabase(serverUrl, name)
    },
  }
}

const answer = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })])

/** Where no configuration names the global set-up, each worker has a server of its own. */
const findServer = async (): Promise<string> => {
  const port = inject('testPostgresPort')
  if (port === undefined) return (await startTestCluster()).url
  const reply = answer.parse(JSON.parse(await text(connect(port, '127.0.0.1'))))
  if ('error' in reply) throw new Error(reply.error)
  return reply.url
}
