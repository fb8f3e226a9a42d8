import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import type { Connection } from '@prosa/contracts/http/connections'
import { refusals } from '@prosa/contracts/refusals'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const anUser: User = {
  id: '0a5d0b1e-0d3c-4b57-9d0e-5a2f6c1d7e88',
  firstName: 'Marina',
  lastName: 'Azevedo',
  email: 'marina@padaria.com.br',
  isEmailConfirmed: true,
  mustChangePassword: false,
  profileImageUrl: null,
  company: { name: null, notifications: false, analytics: true },
  roles: [],
  createdAt: '2026-11-20T12:00:00.000Z',
  subscriptionStatus: 'active',
  subscriptionEnd: '2026-11-30T12:00:00.000Z',
  isTrial: true,
  terms: { version: '2026-11-27', accepted: { version: '2026-11-27', at: '2026-11-27T12:00:00.000Z' } },
}

const aUsage: Usage = {
  plan: 'pro',
  access: 'open',
  afterEnd: 'free_plan',
  endsAt: '2026-11-30T12:00:00.000Z',
  graceEndsAt: '2026-12-03T12:00:00.000Z',
  periodStart: '2026-11-01T03:00:00.000Z',
  messages: { used: 0, limit: 5000 },
  connections: { used: 0, limit: 3 },
  limitsAfterEnd: { messages: 100, connections: 1 },
  isTrialWithheld: false,
  confirmEmailBy: null,
  mustConfirmEmail: false,
}

export const aConnection = (of: Partial<Connection> = {}): Connection => ({
  id: '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33',
  name: 'Loja do centro',
  status: 'connecting',
  statusReason: null,
  line: 'open',
  statusSince: '2026-11-21T14:30:00.000Z',
  qrCode: null,
  qrDeadline: null,
  serverTime: '2026-11-21T14:32:00.000Z',
  phoneNumber: null,
  phone: null,
  lastActivity: null,
  pairingCode: null,
  network: 'whatsapp',
  ...of,
})

export const refuse = (type: keyof typeof refusals, errors?: { field: string; message: string }[]) =>
  HttpResponse.json(
    { type, ...refusals[type], errors, correlationId: 'c0ffee' },
    { status: refusals[type].status, headers: { 'content-type': 'application/problem+json' } },
  )

/** Nobody is signed in and there are no connections. */
export const prosaServer = setupServer(
  http.get('/api/auth/user', () => refuse('not_signed_in')),
  http.get('/api/terms', () => HttpResponse.json({ version: '2026-11-27' })),
  http.get('/api/public/kiwify-plans', () => HttpResponse.json([])),
  http.get('/api/whatsapp/connections', () => HttpResponse.json([])),
  http.get('/api/whatsapp/contact-counts', () =>
    HttpResponse.json({ waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 }),
  ),
  http.get('/api/contact-fields', () => HttpResponse.json([])),
  http.get('/api/usage', () => HttpResponse.json(aUsage)),
  http.get('/api/whatsapp/networks', () => HttpResponse.json(['whatsapp'])),
  http.get('/socket.io/', () => new HttpResponse(null, { status: 503 })),
)

/** Unexpected requests fail the test. */
export const withProsaServer = (): void => {
  beforeAll(() => prosaServer.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => prosaServer.resetHandlers())
  afterAll(() => prosaServer.close())
}
