import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'
import { usageQuery } from '../lib/account/usage.ts'

// Loaded here: test timeouts must not include it.
import './app-shell.tsx'
import './limit-notice.tsx'

withProsaServer()
beforeEach(() => localStorage.clear())

const usage: Usage = {
  plan: 'pro',
  access: 'open',
  afterEnd: 'free_plan',
  endsAt: '2026-12-30T15:00:00.000Z',
  graceEndsAt: '2027-01-02T15:00:00.000Z',
  periodStart: '2026-11-01T03:00:00.000Z',
  messages: { used: 4012, limit: 5000 },
  connections: { used: 3, limit: 3 },
  limitsAfterEnd: { messages: 100, connections: 1 },
  isTrialWithheld: false,
  confirmEmailBy: null,
  mustConfirmEmail: false,
}

const open = async (shown: Partial<Usage> = {}) => {
  const state = { usage: { ...usage, ...shown } }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/usage', () => HttpResponse.json(state.usage)),
  )
  const { queries, unmount } = renderApp('/profile')
  await screen.findByRole('heading', { name: 'Perfil' })
  return { state, readAgain: () => queries.invalidateQueries({ queryKey: usageQuery.queryKey }), unmount }
}
const used = (messages: number): Pick<Usage, 'messages'> => ({ messages: { used: messages, limit: 5000 } })

it('warns at 80 %, says what counts, and can be put away until the next warning', async () => {
  const { state, readAgain, unmount } = await open()
  const bar = await screen.findByText(/^4\.012 das 5\.000 mensagens do mês já foram enviadas\..* até 1 de dezembro\./)
  expect(bar.textContent).toContain('As que você escreve no celular e as que recebe não contam.')
  await userEvent.click(screen.getByRole('button', { name: 'Agora não' }))
  await waitFor(() => expect(screen.queryByText(/mensagens do mês já foram enviadas/)).toBeNull())
  unmount()
  const again = await open(used(4100))
  expect(screen.queryByText(/mensagens do mês já foram enviadas/)).toBeNull()
  Object.assign(state.usage, used(5000))
  Object.assign(again.state.usage, used(5000))
  await readAgain()
  await again.readAgain()
  await screen.findByText(/^As 5\.000 mensagens do mês já foram enviadas\. Nada mais sai até 1 de dezembro;/)
  expect(screen.queryByRole('button', { name: 'Agora não' })).toBeNull()
})

it.each([
  ['below 80 %', used(3999)],
  ['without a limit', { messages: { used: 9_999_999, limit: null } }],
  ['of connections, which keep working at their limit', used(0)],
  ['where access ended, which another bar says', { access: 'ended' as const, messages: { used: 5, limit: 0 } }],
])('says nothing %s', async (_, shown) => {
  const { readAgain } = await open(shown)
  await readAgain()
  expect(screen.queryByText(/mensagens do mês já foram enviadas/)).toBeNull()
})
