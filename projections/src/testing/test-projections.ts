import { setMaxListeners } from 'node:events'
import { positionHeader } from '@prosa/contracts/http/problem'
import type { Clock } from '@prosa/kernel/clock'
import { readModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import { testLog } from '@prosa/kernel/consumers/testing/test-log'
import { postgresSnapshots } from '@prosa/kernel/domain/snapshots/snapshots'
import { postgresDrafts } from '@prosa/kernel/drafts/drafts'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { memoryFileStore } from '@prosa/kernel/files/memory'
import { createApp } from '@prosa/kernel/http/app'
import { cookieAuthenticator } from '@prosa/kernel/http/authentication/cookie-authenticator'
import { browserSessions, sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { silentLog } from '@prosa/kernel/observability/log'
import { securityLog } from '@prosa/kernel/observability/security-log'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { pubSub } from '@prosa/kernel/privacy/pub-sub'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { secretStore } from '@prosa/kernel/privacy/secret-store'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { readingPurposeRoutes } from '@prosa/product/administration/reading-purpose-routes'
import { defaultBudgets } from '@prosa/product/budgets'
import { defaultPlanRules, type PlanRules } from '@prosa/product/entitlements/plan-rules'
import type { Ports } from '@prosa/product/ports'
import { accountRoles } from '../account/queries.ts'
import { projections } from '../projections.ts'
import { streamMigrations } from '../streams/days/migrations.ts'
import { usageEntitlements } from '../usage/queries.ts'

/** Memory log, own database. `isEncrypted`: personal fields are, as in the product. */
export const testProjections = async (
  clock: Clock,
  planRules: PlanRules = defaultPlanRules,
  { isEncrypted = false } = {},
) => {
  const postgres = await kernelDatabase(streamMigrations)
  const { pool, url } = postgres
  const log = testLog()
  const stopping = new AbortController()
  // As the host: every read model listens.
  setMaxListeners(0, stopping.signal)
  const box = secretBox(Buffer.alloc(32, 7))
  const troubles: unknown[] = []
  const keys = subjectKeys({
    pool,
    databaseUrl: url,
    masters: masterKeys(Buffer.alloc(32, 7)),
    signal: stopping.signal,
  })
  const signIns = browserSessions(pool, { url, signal: stopping.signal })
  const ports: Ports = {
    store: log.store,
    codec: isEncrypted ? eventCodec({ personal: personalEncryption(keys, box) }) : log.codec,
    clock,
    log: silentLog(),
    pool,
    writePool: pool,
    databaseUrl: url,
    box,
    secrets: secretStore(pool, box),
    subjectKeys: keys,
    browserSessions: signIns,
    authenticator: cookieAuthenticator(signIns),
    roles: accountRoles(pool),
    entitlements: usageEntitlements(pool, planRules, clock),
    readModels: readModelGate(pool, url, stopping.signal, (error) => troubles.push(error)),
    pubSub: pubSub({ pool, databaseUrl: url, box, log: silentLog(), signal: stopping.signal }),
    files: memoryFileStore(),
    budgets: defaultBudgets,
    spending: postgresSpending({ pool, clock, budgets: defaultBudgets }),
    drafts: postgresDrafts({ pool, subjectKeys: keys, box, budgets: defaultBudgets }),
    security: securityLog({ log: silentLog(), box }),
    snapshots: postgresSnapshots({ pool, subjectKeys: keys, box, log: silentLog() }),
  }
  const app = await createApp({ ...ports, trustedOrigins: [] })
  const { routes, run } = await projections({ planRules }).mount(ports)
  if (!routes || !run) throw new Error('projections bring routes and work')
  await app.register(routes)
  await app.register(readingPurposeRoutes(ports))
  const running = run(stopping.signal)
  const tokenOf = (user: string | undefined, position: string) =>
    app.positions.tokenOf(user ?? '', position as Position)

  const cookieOf = async (user: string) => `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
  const statePurpose = async (user: string, tenantId: string | null) => {
    const payload = { tenantId, purpose: 'support' }
    const headers = { cookie: await cookieOf(user) }
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/api/admin/reading-purposes',
      headers,
      payload,
    })
    if (statusCode !== 200) throw new Error(`no purpose was stated: ${statusCode} ${body}`)
  }

  const ask = async (
    sent: { method: 'GET' | 'POST'; url: string; payload?: object },
    user?: string,
    position?: string,
    more: Record<string, string> = {},
  ) => {
    const token = position === undefined ? undefined : tokenOf(user, position)
    const headers: Record<string, string> = token === undefined ? { ...more } : { ...more, [positionHeader]: token }
    if (user) headers.cookie = await cookieOf(user)
    let reply = await app.inject({ ...sent, headers })
    if (user && reply.statusCode === 428) {
      await statePurpose(user, reply.json().tenantId)
      reply = await app.inject({ ...sent, headers })
    }
    return { status: reply.statusCode, headers: reply.headers, body: reply.body && reply.json() }
  }

  return {
    ports,
    app,
    append: log.append,
    expectParkedTenants: postgres.expectParkedTenants,
    tokenOf,
    statePurpose,
    /** Waits for the position. States a purpose when required. */
    get: (url: string, user?: string, position?: string, more?: Record<string, string>) =>
      ask({ method: 'GET', url }, user, position, more),
    post: (url: string, payload: object, user?: string, position?: string) =>
      ask({ method: 'POST', url, payload }, user, position),
    async stop() {
      await app.close()
      stopping.abort()
      await running
      await postgres.drop()
    },
  }
}
