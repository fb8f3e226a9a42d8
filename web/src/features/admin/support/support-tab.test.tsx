import type { ListedSupportRequest } from '@prosa/contracts/http/accounts/support'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

withProsaServer()

let requests: ListedSupportRequest[] = []
const request: ListedSupportRequest = {
  id: '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33',
  subject: 'Não conecta',
  message: 'Leio o código\ne nada acontece.',
  priority: 'urgent',
  createdAt: '2026-11-20T12:00:00.000Z',
  answeredAt: null,
  account: { id: anUser.id, name: 'Rosa Lima', email: 'rosa@floricultura.com.br' },
}
const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))

beforeAll(async () => {
  await Promise.all([import('../../../app/app-shell.tsx'), import('../admin-page.tsx'), import('./support-tab.tsx')])
}, 60_000)
beforeEach(() => {
  requests = [request]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get('/api/admin/support-requests', ({ request: { url } }) =>
      HttpResponse.json({
        items: requests.filter(({ answeredAt }) => !url.includes('open=true') || answeredAt === null),
        nextCursor: null,
      }),
    ),
  )
})

it('shows what subscribers wrote, whole where it is opened, and who is to be answered', async () => {
  renderApp('/admin?aba=suporte')
  await userEvent.click(await screen.findByRole('button', { name: 'Não conecta' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Não conecta' }))
  expect(dialog.getByText(/nada acontece/).textContent).toBe(request.message)
  expect(dialog.getByText(/^Rosa Lima, rosa@floricultura\.com\.br\. Prioridade urgente/)).toBeTruthy()
  expect(dialog.getByRole('link', { name: 'Responder por e-mail' }).getAttribute('href')).toBe(
    'mailto:rosa@floricultura.com.br?subject=Re%3A%20N%C3%A3o%20conecta',
  )
})

it('marks a message as answered, which leaves the list of those that are open', async () => {
  prosaServer.use(
    http.post(`/api/admin/support-requests/${request.id}/answer`, () => {
      requests = [{ ...request, answeredAt: '2026-11-21T12:00:00.000Z' }]
      return HttpResponse.json({ id: request.id })
    }),
  )
  renderApp('/admin?aba=suporte&em-aberto=sim')
  await userEvent.click(await screen.findByRole('button', { name: 'Não conecta' }))
  await userEvent.click(screen.getByRole('button', { name: 'Marcar como respondida' }))
  expect(await toasts().findByText('Mensagem marcada como respondida.')).toBeTruthy()
  expect(await screen.findByText('Nenhuma mensagem em aberto')).toBeTruthy()
})
