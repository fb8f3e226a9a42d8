import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { aConnection, anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { currentUserQuery } from '../../lib/current-user.ts'
import { personalKey } from '../../lib/personal-storage.ts'
import { trialDaysLeft, trialSentence } from './trial-days.ts'

withProsaServer()

const now = Date.parse('2026-11-21T12:00:00.000Z')

describe('the free period', () => {
  it.each([
    ['2026-11-30T12:00:00.000Z', 9],
    ['2026-11-30T12:00:00.001Z', 10],
    ['2026-11-21T12:00:00.001Z', 1],
    ['2026-11-21T12:00:00.000Z', 0],
    ['2026-11-01T12:00:00.000Z', 0],
  ])('until %s has %i days left', (subscriptionEnd, days) =>
    expect(trialDaysLeft({ ...anUser, subscriptionEnd }, now)).toBe(days),
  )

  it('is over when the subscription is not active', () =>
    expect(trialDaysLeft({ ...anUser, subscriptionStatus: 'cancelled' }, now)).toBe(0))

  it('is over once something was paid', () =>
    expect(trialDaysLeft({ ...anUser, isTrial: false, subscriptionEnd: '2026-11-30T12:00:00.000Z' }, now)).toBe(0))

  it('is shown in days, the last one by name', () => {
    expect(trialSentence(1)).toBe('Último dia do seu período gratuito')
    expect(trialSentence(9)).toBe('Você tem 9 dias restantes do período gratuito')
  })
})

const signIn = (subscriptionEnd: string | null) =>
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, subscriptionEnd })))

describe('the signed-in start', () => {
  it('shows the banner and the true state of the line', async () => {
    signIn(new Date(Date.now() + 36 * 3_600_000).toISOString())
    prosaServer.use(
      http.get('/api/whatsapp/connections', () =>
        HttpResponse.json([
          aConnection({ status: 'connected', phoneNumber: '5511988776655', serverTime: new Date().toISOString() }),
        ]),
      ),
    )
    renderApp('/')
    expect(await screen.findByText('Período Gratuito Ativo', {})).toBeTruthy()
    expect(screen.getByText('Você tem 2 dias restantes do período gratuito')).toBeTruthy()
    expect(await screen.findByText('Loja do centro está conectado: (11) 98877-6655')).toBeTruthy()
  })

  it('goes to the settings on G then S, and asks to sign in there when the server forgot the session', async () => {
    signIn(null)
    renderApp('/')
    await screen.findByRole('heading', { name: 'Olá, Marina' })
    expect(screen.queryByText('Período Gratuito Ativo')).toBeNull()
    prosaServer.use(http.get('/api/whatsapp/connections', () => refuse('not_signed_in')))
    await userEvent.keyboard('gs')
    expect(await screen.findByRole('heading', { name: 'Configurações' })).toBeTruthy()
    expect(await screen.findByText(/^Sua sessão terminou\./)).toBeTruthy()
  })
})

describe('leaving', () => {
  it('shows a notice and the login screen a second later', async () => {
    signIn(null)
    prosaServer.use(http.post('/api/auth/logout', () => HttpResponse.json({})))
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    expect(await screen.findByText('Você foi desconectado com sucesso.')).toBeTruthy()
    expect(await screen.findByRole('tab', { name: 'Entrar' })).toBeTruthy()
  })

  it('does not show that the session ended, when the server ends it before the answer comes', async () => {
    signIn(null)
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    prosaServer.use(
      http.post('/api/auth/logout', async () => {
        await held
        return HttpResponse.json({})
      }),
    )
    const { queries } = renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    prosaServer.use(http.get('/api/auth/user', () => refuse('not_signed_in')))
    // As the live line does when the server closes it.
    await queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
    await screen.findByText(/^Sua sessão terminou/)
    letGo?.()
    await screen.findByText('Logout realizado')
    await waitFor(() => expect(screen.queryByText(/^Sua sessão terminou/)).toBeNull())
    expect(await screen.findByRole('tab', { name: 'Entrar' }, { timeout: 3_000 })).toBeTruthy()
    expect(screen.queryByText(/^Sua sessão terminou/)).toBeNull()
  })

  it('takes what was written with it at once, even if the browser is closed before the second is over', async () => {
    const draft = personalKey('drafts')
    localStorage.setItem(draft, '{"ana":"meu rascunho"}')
    signIn(null)
    prosaServer.use(http.post('/api/auth/logout', () => HttpResponse.json({})))
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    await screen.findByText('Logout realizado')
    expect(screen.queryByRole('tab', { name: 'Entrar' })).toBeNull()
    expect(localStorage.getItem(draft)).toBeNull()
  })
})
