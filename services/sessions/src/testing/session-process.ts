import { systemClock } from '@prosa/kernel/clock'
import { readModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import { postgresSnapshots } from '@prosa/kernel/domain/snapshots/snapshots'
import { postgresDrafts } from '@prosa/kernel/drafts/drafts'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { memoryFileStore } from '@prosa/kernel/files/memory'
import { host } from '@prosa/kernel/host'
import { cookieAuthenticator } from '@prosa/kernel/http/authentication/cookie-authenticator'
import { browserSessions } from '@prosa/kernel/http/sign-in/browser-sessions'
import { createLog } from '@prosa/kernel/observability/log'
import { securityLog } from '@prosa/kernel/observability/security-log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { masterKeys } from '@prosa/kernel/privacy/master-keys'
import { pubSub } from '@prosa/kernel/privacy/pub-sub'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { secretStore } from '@prosa/kernel/privacy/secret-store'
import { subjectKeys } from '@prosa/kernel/privacy/subject-keys'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import { defaultBudgets } from '@prosa/product/budgets'
import { memoryEntitlements } from '@prosa/product/entitlements/memory'
import type { Service } from '@prosa/product/ports'
import { sessions } from '../sessions.ts'
import { fastTimings } from './fast-timings.ts'

/**
 * Reactors run in the test: each holds a database lock, which a frozen process would not release. Arguments: database, master secret (hex),
 * sandbox address, lease duration. Logs to stdout.
 */
const [, , databaseUrl = '', secret = '', webSocketUrl = '', lease = ''] = process.argv
const pool = openPool(databaseUrl)
const log = createLog('info')
const masterSecret = Buffer.from(secret, 'hex')
const box = secretBox(masterSecret)
const { signal } = new AbortController()
const keys = subjectKeys({ pool, databaseUrl, masters: masterKeys(masterSecret), signal })
const signIns = browserSessions(pool)
const ports = {
  store: await postgresEventStore({ url: databaseUrl }),
  codec: eventCodec(),
  clock: systemClock,
  log,
  pool,
  writePool: pool,
  databaseUrl,
  box,
  secrets: secretStore(pool, box),
  subjectKeys: keys,
  browserSessions: signIns,
  authenticator: cookieAuthenticator(signIns),
  roles: { of: async () => [] },
  entitlements: memoryEntitlements(systemClock),
  readModels: readModelGate(pool, databaseUrl, signal, () => undefined),
  pubSub: pubSub({ pool, databaseUrl, box, log, signal }),
  files: memoryFileStore(),
  budgets: defaultBudgets,
  spending: postgresSpending({ pool, clock: systemClock, budgets: defaultBudgets }),
  drafts: postgresDrafts({ pool, subjectKeys: keys, box, budgets: defaultBudgets }),
  security: securityLog({ log, box }),
  snapshots: postgresSnapshots({ pool, subjectKeys: keys, box, log }),
}
const service = sessions({
  networks: [{ name: 'simulator', webSocketUrl }],
  production: false,
  timings: { ...fastTimings, lease: Number(lease) },
})
const lines: Service = {
  name: service.name,
  mount: async (given) => ({ ...(await service.mount(given)), reactors: [] }),
}
await host([lines], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
log.info('running')
