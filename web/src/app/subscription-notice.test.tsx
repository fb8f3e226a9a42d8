import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'
import { usageQuery } from '../lib/account/usage.ts'

// Loaded here: test timeouts must not include it.
import './app-shell.tsx'
import './subscription-notice.tsx'

withProsaServer()

const usage: Usage = {
  plan: 'pro',
  access: 'grace',
  afterEnd: 'ended',
  endsAt: '2026-11-20T15:00:00.000Z',
  graceEndsAt: '2026-11-23T15:00:00.000Z',
  periodStart: '2026-11-01T03:00:00.000Z',
  messages: { used: 12, limit: 5000 },
  connections: { used: 1, limit: 3 },
  limitsAfterEnd: { messages: 100, connections: 1 },
  isTrialWithheld: false,
  confirmEmailBy: null,
  mustConfirmEmail: false,
}

const open = async (shown: Partial<Usage>) => {
  const state: Usage = { ...usage, ...shown }
  prosaServer.use(
    http.get('/api/auth/user', () =>
      HttpResponse.json({ ...anUser, subscriptionStatus: state.access === 'open' ? 'active' : 'expired' }),
    ),
    http.get('/api/usage', () => HttpResponse.json(state)),
  )
  const { queries } = renderApp('/')
  await screen.findByRole('heading', { name: 'Olá, Marina' })
  return { state, readAgain: () => queries.invalidateQueries({ queryKey: usageQuery.queryKey }) }
}

describe('whose time is over', () => {
  it('sees until when sending goes on, and the way to a plan, on every screen', async () => {
    await open({ access: 'grace' })
    expect(await screen.findByText(/^Seu período terminou em 20 de nov\..*; você ainda pode enviar até 23 de nov\./))
    expect(screen.getByRole('link', { name: 'Escolher um plano' }).getAttribute('href')).toBe('/billing?aba=planos')
  })

  it('sees that the free plan comes next, where there is one', async () => {
    await open({ access: 'grace', afterEnd: 'free_plan' })
    await screen.findByText(/os limites do seu plano valem até 23 de nov\..*, depois vale o plano gratuito\.$/)
  })

  it('sees that nothing is sent, until it was paid', async () => {
    const { state, readAgain } = await open({ access: 'ended' })
    await screen.findByText(/^Seu período terminou\. Escolha um plano para voltar a enviar\./)
    state.access = 'open'
    await readAgain()
    await waitFor(() => expect(screen.queryByText(/^Seu período terminou/)).toBeNull())
  })

  it('sees why a new account has no free period, where there is no free plan', async () => {
    await open({ access: 'ended', isTrialWithheld: true })
    await screen.findByText(/^O período de teste deste e-mail já foi usado\. Escolha um plano para enviar\./)
  })

  it('sees nothing of it before', async () => {
    await open({ access: 'open' })
    expect(screen.queryByText(/^Seu período terminou/)).toBeNull()
  })
})
