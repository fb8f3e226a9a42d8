import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'
import { usageQuery } from '../lib/account/usage.ts'

// Loaded here: test timeouts must not include it.
import './app-shell.tsx'
import './confirmation-notice.tsx'

withProsaServer()

const usage: Usage = {
  plan: 'pro',
  access: 'open',
  afterEnd: 'free_plan',
  endsAt: '2026-11-30T15:00:00.000Z',
  graceEndsAt: '2026-12-03T15:00:00.000Z',
  periodStart: '2026-11-01T03:00:00.000Z',
  messages: { used: 12, limit: 5000 },
  connections: { used: 1, limit: 3 },
  limitsAfterEnd: { messages: 100, connections: 1 },
  isTrialWithheld: false,
  confirmEmailBy: '2026-11-25T15:00:00.000Z',
  mustConfirmEmail: true,
}

const open = async (shown: Partial<Usage>, user: Partial<typeof anUser> = {}) => {
  const state = { usage: { ...usage, ...shown }, user: { ...anUser, isEmailConfirmed: false, ...user } }
  let asked = 0
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(state.user)),
    http.get('/api/usage', () => HttpResponse.json(state.usage)),
    http.post('/api/auth/send-confirmation', () => {
      asked++
      return HttpResponse.json({ message: 'Enviamos um link para o seu e-mail. Ele chega em instantes.' })
    }),
  )
  const { queries } = renderApp('/')
  await screen.findByRole('heading', { name: 'Olá, Marina' })
  const readAgain = () => queries.invalidateQueries({ queryKey: usageQuery.queryKey })
  return { state, readAgain, asked: () => asked }
}

it('asks, on every screen, for the confirmation without which nothing is sent, and sends another link', async () => {
  const { asked, state, readAgain } = await open({})
  const notice = (await screen.findByText(/^Confirme seu e-mail para enviar mensagens\./)).textContent
  expect(notice).toMatch(/O que seus clientes escrevem continua chegando\. O link foi para marina@padaria\.com\.br\.$/)
  await userEvent.click(screen.getByRole('button', { name: 'Reenviar link' }))
  await screen.findByText(/Enviamos outro link para marina@padaria\.com\.br\. Se ele não chegar/)
  expect(asked()).toBe(1)
  expect(screen.getAllByText(/^Confirme seu e-mail/)).toHaveLength(1)
  state.usage = { ...state.usage, confirmEmailBy: null, mustConfirmEmail: false }
  state.user = { ...state.user, isEmailConfirmed: true }
  await readAgain()
  await waitFor(() => expect(screen.queryByText(/^Confirme seu e-mail/)).toBeNull())
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

it('names the moment from which on nothing is sent, in its last three days', async () => {
  await open({ confirmEmailBy: inDays(2.9), mustConfirmEmail: false })
  await screen.findByText(/^Confirme seu e-mail até .*: depois disso, nada é enviado até você confirmar\./)
  expect(screen.getAllByText(/^Confirme seu e-mail/)).toHaveLength(1)
})

it('is a note of the dashboard before, and no bar of every screen', async () => {
  await open({ confirmEmailBy: inDays(3.1), mustConfirmEmail: false })
  const note = await screen.findByText(/^Confirme seu e-mail até /)
  expect(note.closest('[role=note]')?.textContent).toContain('Depois disso, nada é enviado até você confirmar.')
  expect(screen.getAllByText(/^Confirme seu e-mail até /)).toHaveLength(1)
})

it('asks for nothing where sending does not depend on it', async () => {
  await open({ confirmEmailBy: null, mustConfirmEmail: false })
  await screen.findByText('Taxa de resolução')
  expect(screen.queryByText(/confirm/i)).toBeNull()
})

it.each([
  ['why a new account has no free period', true, 'O período de teste deste e-mail já foi usado'],
  ['that the time of an account is over', false, 'Seu período terminou'],
])('shows %s, and what it has with the free plan', async (_, isTrialWithheld, title) => {
  await open(
    {
      plan: 'free',
      isTrialWithheld,
      confirmEmailBy: null,
      mustConfirmEmail: false,
      messages: { used: 0, limit: 100 },
      connections: { used: 0, limit: 1 },
    },
    { subscriptionStatus: 'expired', isTrial: false, isEmailConfirmed: true },
  )
  await screen.findByText(title)
  expect(screen.getByText('Sua conta está no plano gratuito: 100 mensagens por mês e 1 conexão.')).toBeDefined()
})
