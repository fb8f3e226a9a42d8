import type { OfferedPlan } from '@prosa/contracts/http/accounts/plans'
import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './billing-page.tsx'

withProsaServer()

const later = new Date(Date.now() + 20 * 86_400_000).toISOString()
const charge: Transaction = {
  id: '7ea1',
  transactionId: 'aBcDeF1',
  createdAt: '2026-06-08T15:00:00.000Z',
  event: 'subscription_renewed',
  amount: 9700,
  productName: 'Prosa Profissional',
  planName: 'Empresarial',
  status: 'approved',
  paymentMethod: 'pix',
}
const plan: OfferedPlan = {
  id: '1b2c',
  planId: 'profissional',
  planName: 'Profissional',
  accessDays: 30,
  price: 'R$ 97,00',
  description: 'Para a loja inteira.',
  purchaseUrl: 'https://pay.kiwify.com.br/abc?sck=selo',
}

let user = anUser
let upgradeUrl: string | null = null
let used: object
let access: object
beforeEach(() => {
  access = { access: 'open', graceEndsAt: null, afterEnd: 'free_plan' }
  used = { messages: { used: 1245, limit: 5000 }, connections: { used: 2, limit: null } }
  user = { ...anUser, subscriptionEnd: later, isTrial: false }
  upgradeUrl = null
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(user)),
    http.get('/api/usage', () =>
      HttpResponse.json({
        plan: 'pro',
        ...access,
        endsAt: later,
        periodStart: '2026-11-01T03:00:00.000Z',
        ...used,
        limitsAfterEnd: { messages: 100, connections: 1 },
        isTrialWithheld: false,
        confirmEmailBy: null,
        mustConfirmEmail: false,
      }),
    ),
    http.get('/api/kiwify/upgrade', () => HttpResponse.json({ url: upgradeUrl })),
    http.get('/api/kiwify-plans', () =>
      HttpResponse.json([plan, { ...plan, id: '2', price: 'Consulte', purchaseUrl: null }]),
    ),
    http.get('/api/kiwify/transactions', () => HttpResponse.json([charge])),
    http.get('/api/support/channels', () => HttpResponse.json({ email: null, phone: null, chatUrl: null })),
  )
})

describe('Plano Atual', () => {
  it('of somebody who pays has its name, since when, until when, and nothing to buy', async () => {
    renderApp('/billing')
    expect(await screen.findByRole('heading', { name: 'Plano Profissional' })).toBeTruthy()
    expect(screen.getByText('Ativo desde novembro de 2026')).toBeTruthy()
    expect(screen.getByText('Ativo')).toBeTruthy()
    expect(await screen.findByText('1.245 de 5.000')).toBeTruthy()
    expect(screen.getByText('2 de ilimitadas')).toBeTruthy()
    expect(screen.getByText('Próxima renovação')).toBeTruthy()
    expect(screen.queryByText('Fazer upgrade')).toBeNull()
  })

  it('of whom it is not known yet whether something was paid claims neither, and no renewal', async () => {
    user = { ...user, isTrial: null }
    renderApp('/billing')
    expect(await screen.findByRole('heading', { name: 'Seu plano' })).toBeDefined()
    expect(screen.getByText('Acesso até')).toBeDefined()
    expect(screen.queryByText(/Próxima renovação|Período Gratuito|Plano Profissional/)).toBeNull()
  })

  it('of somebody whose time is over leads to the plans on offer', async () => {
    user = { ...anUser, subscriptionStatus: 'expired' }
    renderApp('/billing')
    expect(await screen.findByText('Gratuito')).toBeTruthy()
    await userEvent.click(await screen.findByRole('link', { name: 'Fazer upgrade' }))
    expect(await screen.findByText('Para a loja inteira.', { selector: 'li:first-of-type p' })).toBeTruthy()
  })

  it('claims no free plan where there is none, and says until when the limits hold', async () => {
    user = { ...anUser, subscriptionStatus: 'expired' }
    access = { access: 'grace', graceEndsAt: '2026-11-28T15:00:00.000Z', afterEnd: 'ended' }
    renderApp('/billing')
    expect(await screen.findByRole('heading', { name: 'Seu período terminou' })).toBeTruthy()
    expect(screen.getByText('Encerrado')).toBeTruthy()
    expect(screen.getByText(/^Até 28 de nov\..* ainda valem os limites do plano que terminou\./)).toBeTruthy()
    expect(screen.queryByText(/Gratuito/)).toBeNull()
  })

  it('says what it means that more is used than the plan allows', async () => {
    user = { ...anUser, subscriptionStatus: 'expired' }
    used = { messages: { used: 100, limit: 100 }, connections: { used: 2, limit: 1 } }
    renderApp('/billing')
    expect(await screen.findByText('2 de 1')).toBeTruthy()
    expect(screen.getByText('As que já existem continuam. Para adicionar outra, escolha um plano maior.')).toBeTruthy()
    expect(screen.getByText('Todas já foram enviadas. Escolha um plano maior ou espere o próximo mês.')).toBeTruthy()
  })

  it('leads to the configured page where there is one, in another tab', async () => {
    user = { ...anUser, subscriptionStatus: 'expired' }
    upgradeUrl = 'https://pay.kiwify.com.br/pro?sck=selo'
    renderApp('/billing')
    const link = await screen.findByRole('link', { name: 'Fazer upgrade' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([upgradeUrl, '_blank'])
  })
})

it('Planos shows each with its price and days, and where to pay', async () => {
  renderApp('/billing?aba=planos')
  const links = await screen.findAllByRole('link', { name: /^Assinar/ })
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual([
    [plan.purchaseUrl, '_blank'],
  ])
  expect(screen.getAllByText('/30 dias')).toHaveLength(2)
  expect(screen.getByText(/^Este plano se combina com quem vende o Prosa: peça aqui/)).toBeTruthy()
  expect(screen.getByText('Consulte')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Pedir Profissional' }))
  expect(await screen.findByDisplayValue('Assinar um plano')).toBeTruthy()
  expect(
    screen.getByDisplayValue('Quero assinar o plano Profissional (Consulte, 30 dias). Como faço para pagar?'),
  ).toBeTruthy()
})

describe('Faturas', () => {
  it('lists what was charged, with a PDF of each', async () => {
    renderApp('/billing?aba=faturas')
    const row = within(await screen.findByRole('row', { name: /aBcDeF1/ }))
    for (const text of ['Plano Empresarial', 'R$ 97,00', 'Aprovado', '08/06/2026'])
      expect(row.getByText(text)).toBeTruthy()
    expect(row.getByRole('link', { name: 'Baixar o PDF de aBcDeF1' }).getAttribute('href')).toBe(
      '/api/kiwify/transactions/7ea1/invoice',
    )
    const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(titles).toEqual(['Fatura', 'Data', 'Plano', 'Valor', 'Status', 'Ações'])
  })

  it('are none while nothing was charged', async () => {
    prosaServer.use(http.get('/api/kiwify/transactions', () => HttpResponse.json([])))
    renderApp('/billing?aba=faturas')
    expect(await screen.findByText('Nenhuma transação encontrada')).toBeTruthy()
  })

  it('that cannot be read are asked for again', async () => {
    prosaServer.use(http.get('/api/kiwify/transactions', () => refuse('unexpected'), { once: true }))
    renderApp('/billing?aba=faturas')
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByRole('row', { name: /aBcDeF1/ })).toBeTruthy()
  })
})
