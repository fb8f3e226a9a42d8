import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { type Host, host } from '@prosa/kernel/host'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { type TestPorts, testPorts } from '@prosa/product/testing/test-ports'
import { type IdentityOptions, identity } from '../identity.ts'

export const marina = {
  firstName: 'Marina',
  lastName: 'Alves',
  email: 'marina@example.com',
  password: 'pão de queijo',
}

export const plainOptions: IdentityOptions = {
  production: false,
  publicUrl: undefined,
  mailer: undefined,
  roleList: { admin: [], analyst: [] },
  readRoleHolders: async () => [],
}

export const testIdentity = async (options: Partial<IdentityOptions> = {}, given: Partial<TestPorts> = {}) => {
  let aheadMs = 0
  const clock = { now: () => new Date(Date.now() + aheadMs).toISOString() }
  // The log survives a restart.
  const store = { ...memoryEventStore(), close: async () => undefined }
  const ports = await testPorts({ clock, store, ...given })
  const start = (more: Partial<IdentityOptions> = {}): Promise<Host> =>
    host([identity({ ...plainOptions, ...options, ...more })], ports, {
      hostname: '127.0.0.1',
      port: 0,
      trustedOrigins: [],
      limitScale: 1000,
    })
  let running = await start()

  const ask = async (
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload: object | undefined,
    cookie?: string,
    key?: string,
  ) => {
    const headers = {
      host: 'evil.example.com',
      ...(cookie ? { cookie } : {}),
      ...(key ? { [idempotencyKeyHeader]: key } : {}),
    }
    const reply = await running.app.inject({ method, url, ...(payload ? { payload } : {}), headers })
    const session = reply.cookies.find(({ name }) => name === '__Host-prosa')
    return {
      status: reply.statusCode,
      body: reply.json(),
      raw: reply,
      cookie: session?.value ? `${session.name}=${session.value}` : undefined,
    }
  }
  const post = (path: string, payload: object | undefined, cookie?: string, key?: string) =>
    ask('POST', `/api/auth/${path}`, payload, cookie, key)

  return {
    ports,
    url: () => running.url,
    putForward: (minutes: number) => {
      aheadMs += minutes * 60_000
    },
    ask,
    post,
    put: (path: string, payload: object, cookie?: string, key?: string) =>
      ask('PUT', `/api/auth/${path}`, payload, cookie, key),
    register: async (person: Partial<typeof marina> = {}) => {
      const { status, body, cookie } = await post('register', { ...marina, ...person })
      if (status !== 201 || !cookie) throw new Error(`registration: ${status}`)
      return { id: String(body.id), cookie }
    },
    login: async (email: string, password: string) => (await post('login', { email, password })).status,
    isSignedIn: async (cookie: string) =>
      (await ports.browserSessions.resolve(cookie.split('=')[1] ?? '')) !== undefined,
    /** Ending sessions fails until called back. */
    breakSessions: () => {
      const { browserSessions } = ports
      const { follow } = browserSessions
      browserSessions.follow = async () => {
        throw new Error('Connection terminated unexpectedly')
      }
      return () => {
        browserSessions.follow = follow
      }
    },
    historyOf: async (userId: string) =>
      (await everythingIn(ports.store, 'user'))
        .filter(({ stream }) => stream === `user-${userId}`)
        .map(({ type, data }) => ('role' in data ? `${type} ${data.role}` : type)),
    async restart(more: Partial<IdentityOptions>) {
      await running.stop()
      running = await start(more)
    },
    async stop() {
      await running.stop()
      await ports.close()
    },
  }
}
