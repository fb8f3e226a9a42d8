import type {
  RefusedDeliveries,
  WebhookLog,
  WebhookLogDetail,
  WebhookPreview,
} from '@prosa/contracts/http/accounts/webhook-logs'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './webhook-tab.tsx'

withProsaServer()

const approved: WebhookLog = {
  id: 'd1',
  status: 'success',
  method: 'POST',
  endpoint: '/kiwify/payment/approved',
  createdAt: '2026-11-23T12:00:00.000Z',
  lastReceivedAt: '2026-11-23T12:05:00.000Z',
  repeated: 1,
  event: 'compra_aprovada',
  kind: 'order_approved',
  orderId: 'order-1',
  orderRef: 'aBcDeF1',
  errorMessage: null,
  note: null,
  isParked: false,
  hasBodyExpired: false,
}
const broken: WebhookLog = {
  ...approved,
  id: 'd2',
  status: 'error',
  repeated: 0,
  event: null,
  kind: null,
  orderId: null,
  orderRef: null,
  errorMessage: 'O conteúdo não é JSON.',
}
const detail: WebhookLogDetail = {
  ...approved,
  bytes: 9,
  expiresAt: '2027-05-22T12:00:00.000Z',
  body: '{"a":[1]}',
  isBodyErased: false,
  processedAt: '2026-11-23T12:00:01.000Z',
  processedData: {
    event: 'compra_aprovada',
    orderId: 'order-1',
    orderRef: 'aBcDeF1',
    productName: 'Plano Profissional',
    amountCents: 9700,
    changedOrder: true,
  },
}

let configured = true
let setting: { hasShortToken: boolean; lastReceivedAt: string | null }
let refused: RefusedDeliveries
let preview: WebhookPreview
let asked: unknown[]

beforeEach(() => {
  configured = true
  setting = { hasShortToken: false, lastReceivedAt: '2026-06-08T15:00:00.000Z' }
  refused = { count: 0, unsigned: 0, sources: [] }
  preview = { note: null, changes: [] }
  asked = []
  const endpoints = () => [
    { endpoint: 'approved', path: '/kiwify/payment/approved', isConfigured: configured, ...setting },
    {
      ...{ endpoint: 'refunded', path: '/kiwify/payment/refunded', isConfigured: configured },
      ...{ hasShortToken: false, lastReceivedAt: null },
    },
  ]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/kiwify-webhooks', () => HttpResponse.json(endpoints())),
    http.get('/api/admin/refused-webhooks', () => HttpResponse.json(refused)),
    http.get('/api/admin/webhook-logs', ({ request }) => {
      const status = new URL(request.url).searchParams.get('status')
      const items = [broken, approved].filter((log) => status === null || log.status === status)
      return HttpResponse.json({ items, nextCursor: null })
    }),
    http.get('/api/admin/webhook-logs/d1', () => HttpResponse.json(detail)),
    http.get('/api/admin/webhook-logs/d1/preview', () => HttpResponse.json(preview)),
    http.post('/api/admin/webhook-logs/d1/reprocess', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ id: 'd1' }, { status: 202 })
    }),
  )
})

const open = (more = '') => renderApp(`/admin?aba=webhook${more}`)
const table = async () => within(await screen.findByRole('table', { name: 'Avisos recebidos' }))

describe('the tab Webhook', () => {
  it('states when a delivery was last accepted, the base URL and the events', async () => {
    open()
    const active = (await screen.findByText('Webhook ativo.')).closest('[role="status"]')
    expect(active?.textContent).toMatch(/Último aviso aceito: 08\/06\/2026, \d\d:\d\d:\d\d\./)
    expect(screen.queryByText(/recusado/)).toBeNull()
    expect(screen.queryByText('Token curto demais.')).toBeNull()
    expect(screen.getByText(window.location.origin)).toBeTruthy()
    for (const event of ['Compra aprovada', 'Compra recusada', 'Reembolso'])
      expect(screen.getAllByText(event).length).toBeGreaterThan(0)
  })

  it('warns while no token is configured', async () => {
    configured = false
    open()
    expect(await screen.findByText('Nenhum token configurado.')).toBeTruthy()
  })

  it('does not claim that it works before a delivery was accepted', async () => {
    setting = { hasShortToken: false, lastReceivedAt: null }
    open()
    expect(await screen.findByText(/Nenhum aviso da Kiwify foi aceito ainda/)).toBeTruthy()
    expect(screen.queryByText('Webhook ativo.')).toBeNull()
  })

  it('warns of a token that can be guessed, and for which address it is', async () => {
    setting = { hasShortToken: true, lastReceivedAt: null }
    open()
    const warning = (await screen.findByText('Token curto demais.')).closest('[role="status"]')
    expect(warning?.textContent).toContain('Um token para /kiwify/payment/approved tem menos de 10 caracteres')
  })

  it('says how many were refused within a day, from where and why, and what to do', async () => {
    const lastAt = '2026-06-08T15:00:00.000Z'
    refused = {
      count: 1234,
      unsigned: 2,
      sources: [
        { endpoint: 'approved', reason: 'unsigned', address: '198.51.100.9', count: 2, lastAt },
        { endpoint: 'approved', reason: 'signature', address: '203.0.113.7', count: 1000, lastAt },
        { endpoint: 'refunded', reason: 'no_token', address: null, count: 1, lastAt },
      ],
    }
    open()
    const panel = (await screen.findByText('1.234 avisos recusados nas últimas 24 h.')).closest('[role="status"]')
    expect(panel?.textContent).toContain('compare o token de cada webhook')
    expect(panel?.textContent).toContain('Houve também 2 pedidos sem assinatura')
    const [first, other, unsigned] = within(
      screen.getByRole('list', { name: 'De onde vieram', hidden: true }),
    ).getAllByRole('listitem', { hidden: true })
    expect(first?.textContent).toMatch(
      /203\.0\.113\.7Compras: a assinatura não confere1\.000 vezesúltima: 08\/06\/2026, /,
    )
    expect(other?.textContent).toMatch(/Outros endereçosReembolsos: não há token configurado1 vez/)
    expect(unsigned?.textContent).toMatch(/198\.51\.100\.9Compras: sem assinatura/)
  })

  it('is calm about requests that are none of Kiwify’s', async () => {
    refused = { count: 0, unsigned: 1, sources: [] }
    open()
    expect(await screen.findByText(/1 pedido sem assinatura nas últimas 24 h: nada disso é da Kiwify/)).toBeTruthy()
    expect(screen.queryByText(/recusado/)).toBeNull()
  })

  it('lists what came, with why it failed, and filters by status', async () => {
    open()
    expect(await (await table()).findByText('O conteúdo não é JSON.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Sucesso' }))
    expect(await (await table()).findByText('aBcDeF1')).toBeTruthy()
    expect(screen.queryByText('O conteúdo não é JSON.')).toBeNull()
  })

  it('shows one with its body, and reprocesses it after showing what would change', async () => {
    const change = { what: 'access_end', userId: 'user-1', before: null, after: '2026-12-23T12:00:00.000Z' } as const
    preview = { note: null, changes: [change] }
    open()
    await userEvent.click(await (await table()).findByRole('button', { name: 'Compra aprovada' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Compra aprovada' }))
    expect(await dialog.findByText(/"a": \[/)).toBeTruthy()
    expect(dialog.getByText('Plano Profissional')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Reprocessar' }))
    const ask = within(await screen.findByRole('dialog', { name: 'Reprocessar aviso' }))
    expect(await ask.findByText('Sem acesso')).toBeTruthy()
    await userEvent.type(ask.getByLabelText('Motivo (opcional)'), 'O plano mudou')
    await userEvent.click(ask.getByRole('button', { name: 'Reprocessar' }))
    expect(await screen.findByText('O aviso está sendo processado de novo.')).toBeTruthy()
    expect(asked).toEqual([{ reason: 'O plano mudou' }])
  })
})
