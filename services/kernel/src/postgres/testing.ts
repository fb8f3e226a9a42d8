import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { z } from 'zod'
import { openPool } from './pool.ts'
import { createDatabase, dropDatabase } from './queries.ts'
import { tenantsParked } from './tenants-parked.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers each connection on 127.0.0.1 with the test server's URL or an error. */
    testPostgresPort: number
  }
}

export interface TestPostgres {
  url: string
  pool: Pool
  /** Without this call `drop` fails when a projection parked a tenant; `readModel` limits it to one. */
  expectParkedTenants(readModel?: string): void
  /** Also disconnects users. Throws on an unexpected parked tenant. */
  drop(): Promise<void>
}

let server: Promise<string> | undefined

/** On the server shared by all tests: empty, or a copy of `templateOn`'s database. */
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
