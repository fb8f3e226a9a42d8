import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { z } from 'zod'
import { tenantsParked } from '../testing/tenants-parked.ts'
import { openPool } from './pool.ts'
import { createDatabase, dropDatabase } from './queries.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A port of 127.0.0.1 that answers every connection with the test server's address, or with why there is none. */
    testPostgresPort: number
  }
}

export interface TestPostgres {
  url: string
  pool: Pool
  /**
   * For tests that break what a projection folds: without it `drop` fails where one has parked a tenant. With the name of a read model
   * of no other.
   */
  expectParkedTenants(readModel?: string): void
  /** Ends the pool and removes the database with whoever is connected to it. Throws where a tenant was parked that nobody broke. */
  drop(): Promise<void>
}

let server: Promise<string> | undefined

/**
 * A fresh database on the one server that all tests of a run share; `vitest.config.ts` names the set-up that starts it. Empty, or
 * a copy of the database that `templateOn` names.
 */
export const testPostgres = async (templateOn?: (serverUrl: string) => Promise<string>): Promise<TestPostgres> => {
  server ??= findServer()
  const serverUrl = await server
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createDatabase(serverUrl, name, await templateOn?.(serverUrl))
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const pool = openPool(url)
  let expected: string | undefined
  return {
    url,
    pool,
    expectParkedTenants: (readModel = '') => {
      expected = `projection ${readModel}`
    },
    async drop() {
      if (!pool.ended) await pool.end()
      const all = await tenantsParked(url)
      const parked = all.filter((found) => expected === undefined || !found.startsWith(expected))
      await dropDatabase(serverUrl, name)
      if (parked.length > 0) throw new Error(`tenants were parked that nobody broke:\n${parked.join('\n')}`)
    },
  }
}

const answer = z.union([z.object({ url: z.string() }), z.object({ error: z.string() })])

const findServer = async (): Promise<string> => {
  const reply = answer.parse(JSON.parse(await text(connect(inject('testPostgresPort'), '127.0.0.1'))))
  if ('error' in reply) throw new Error(reply.error)
  return reply.url
}
