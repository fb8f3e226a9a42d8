import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'

// Loaded here: test timeouts must not include it.
import './app-shell.tsx'
import './terms-notice.tsx'

withProsaServer()

const open = async (terms: typeof anUser.terms) => {
  const state = { user: { ...anUser, terms } }
  const bodies: unknown[] = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(state.user)),
    http.post('/api/auth/accept-terms', async ({ request }) => {
      bodies.push(await request.json())
      const { version } = state.user.terms
      state.user = { ...state.user, terms: { version, accepted: { version, at: '2027-03-02T12:00:00.000Z' } } }
      return HttpResponse.json({ version })
    }),
  )
  renderApp('/')
  await screen.findByRole('heading', { name: 'Olá, Marina' })
  return bodies
}

it('asks an account from before, without keeping it from anything, and is gone once accepted', async () => {
  const bodies = await open({ version: '2026-11-27', accepted: null })
  await screen.findByText(/^O Prosa tem termos de uso e uma política de privacidade\./)
  expect(screen.getByRole('link', { name: 'Termos de uso' })).toHaveProperty('pathname', '/terms')
  expect(screen.getByRole('link', { name: 'Privacidade' })).toHaveProperty('pathname', '/privacy')
  await userEvent.click(screen.getByRole('button', { name: 'Aceitar' }))
  await waitFor(() => expect(screen.queryByText(/^O Prosa tem termos/)).toBeNull())
  expect(bodies).toEqual([{ version: '2026-11-27' }])
})

it('says since when they are others, and stays where accepting failed', async () => {
  await open({ version: '2027-03-01', accepted: { version: '2026-11-27', at: '2026-11-27T12:00:00.000Z' } })
  await screen.findByText('Os termos de uso e a política de privacidade mudaram em 01/03/2027.', { exact: false })
  prosaServer.use(http.post('/api/auth/accept-terms', () => refuse('unavailable')))
  await userEvent.click(screen.getByRole('button', { name: 'Aceitar' }))
  await screen.findByText(/Não foi possível aceitar agora/)
  expect(screen.getByRole('button', { name: 'Aceitar' })).toBeTruthy()
})

it('asks nothing of who accepted the version of today or a later one', async () => {
  await open({ version: '2026-11-27', accepted: { version: '2027-03-01', at: '2027-03-01T12:00:00.000Z' } })
  expect(screen.queryByRole('button', { name: 'Aceitar' })).toBeNull()
})
