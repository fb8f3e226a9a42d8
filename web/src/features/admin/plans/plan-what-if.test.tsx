import type { PlanWhatIfPart } from '@prosa/contracts/http/what-if/plan'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './plans-tab.tsx'

withProsaServer()

const plan = {
  ...{ id: '5a6b', planId: 'profissional', planName: 'Profissional', productId: 'P-1', productName: 'Prosa Pro' },
  ...{ accessDays: 30, price: 'R$ 97,00', description: '', purchaseUrl: null },
}
const nothing = { was: null, would: null }
const part = (more: Partial<PlanWhatIfPart>): PlanWhatIfPart => ({
  ...{ done: 9, total: 9, next: null, isCut: false, subscriptions: 9, different: 1, otherEnds: 1 },
  reachedLimit: { was: 0, would: 1 },
  ...{ blockedSends: 12, allowedSends: 0, blockedConnections: 0 },
  revenue: { orders: 3, wasCents: 29_100, wouldCents: 38_100 },
  differences: [
    {
      ...{ userId: 'ana', name: 'Ana Lima', email: 'ana@loja.com.br', connections: nothing },
      endsAt: { was: '2026-11-20T12:00:00.000Z', would: '2026-12-20T12:00:00.000Z' },
      messages: { was: null, would: '2026-11-18T12:00:00.000Z' },
      ...{ blockedSends: 12, allowedSends: 0, blockedConnections: 0 },
    },
  ],
  ...more,
})

let asked: Record<string, unknown>[] = []

beforeEach(() => {
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get('/api/admin/kiwify-plans', () => HttpResponse.json([plan])),
    http.get('/api/admin/kiwify-webhooks', () => HttpResponse.json([])),
    http.post('/api/admin/plan-what-if', async ({ request }) => {
      asked.push((await request.json()) as (typeof asked)[number])
      return HttpResponse.json(part({}))
    }),
  )
})

const open = async () => {
  renderApp('/admin?aba=planos')
  await userEvent.click(await screen.findByRole('button', { name: 'E se?' }))
  return within(screen.getByRole('dialog', { name: 'E se o plano ou as regras fossem outros?' }))
}
const write = async (dialog: Awaited<ReturnType<typeof open>>, label: string, text: string) => {
  await userEvent.clear(dialog.getByLabelText(label))
  await userEvent.type(dialog.getByLabelText(label), text)
}

describe('E se?', () => {
  it('asks with what was changed only, and lists whose access and limits would be others', async () => {
    const dialog = await open()
    expect(dialog.getByLabelText('Dias de acesso')).toHaveProperty('value', '30')
    await write(dialog, 'Dias de acesso', '60')
    await write(dialog, 'Preço', 'R$ 1.127,90')
    await write(dialog, 'Mensagens por mês', '5.000')
    await write(dialog, 'Conexões', 'ilimitado')
    await userEvent.click(dialog.getByText('Ver o que mudaria'))
    expect(await dialog.findByText('9 contas: 1 seria diferente, 1 com outro fim do acesso.')).toBeTruthy()
    expect(dialog.getByText('Chegaram a um limite: 0 → 1.')).toBeTruthy()
    expect(dialog.getByText(/^3 compras do plano: R\$\s291,00 → R\$\s381,00\.$/)).toBeTruthy()
    const [row] = within(dialog.getByRole('list', { name: 'Contas diferentes' })).getAllByRole('listitem')
    expect(row?.textContent).toMatch(
      /^Ana Lima ana@loja\.com\.brAcesso até: .* → .*Chegou ao limite de mensagens: não → /,
    )
    expect(row?.textContent).toContain('12 envios seriam recusados.')
    expect(dialog.getByRole('link', { name: 'Ana Lima' }).getAttribute('href')).toBe(
      '/admin?aba=historico&registro=user%3Aana',
    )
    expect(asked).toMatchObject([{ planId: '5a6b', accessDays: 60, priceCents: 112_790, after: '' }])
    expect(asked[0]?.limits).toEqual({ pro: { messages: 5000, connections: null }, free: {} })
    expect(asked[0]).not.toHaveProperty('trialDays')
  })

  it('asks for the rules alone where no plan is chosen', async () => {
    const dialog = await open()
    await userEvent.selectOptions(dialog.getByLabelText('Plano'), 'Nenhum: só as regras')
    expect(dialog.queryByLabelText('Dias de acesso')).toBeNull()
    await write(dialog, 'Dias do período gratuito', '7')
    await userEvent.click(dialog.getByText('Ver o que mudaria'))
    await dialog.findByText(/^9 contas/)
    expect(asked).toMatchObject([{ planId: null, trialDays: 7 }])
    expect(asked[0]).not.toHaveProperty('accessDays')
  })

  it('puts what the server refuses at its field: what is no number is not taken for unlimited', async () => {
    const message = 'Informe um número inteiro, a partir de 0.'
    prosaServer.use(
      http.post('/api/admin/plan-what-if', async ({ request }) => {
        asked.push((await request.json()) as (typeof asked)[number])
        return refuse('invalid_request', [{ field: 'limits.free.messages', message }])
      }),
    )
    const dialog = await open()
    await write(dialog, 'Mensagens grátis por mês', 'muitas')
    await userEvent.click(dialog.getByText('Ver o que mudaria'))
    expect(await dialog.findByText(message)).toBeTruthy()
    expect(dialog.getByLabelText('Mensagens grátis por mês').getAttribute('aria-invalid')).toBe('true')
    expect(asked).toMatchObject([{ limits: { free: { messages: -1 } } }])
  })

  it('says so where nothing would differ', async () => {
    const none = part({
      different: 0,
      otherEnds: 0,
      differences: [],
      revenue: { orders: 0, wasCents: 0, wouldCents: 0 },
    })
    prosaServer.use(http.post('/api/admin/plan-what-if', () => HttpResponse.json(none)))
    const dialog = await open()
    await userEvent.click(dialog.getByText('Ver o que mudaria'))
    expect(await dialog.findByText('9 contas: nada seria diferente.')).toBeTruthy()
  })
})
