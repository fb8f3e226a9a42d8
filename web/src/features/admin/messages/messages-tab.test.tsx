import type { ListedMessage } from '@prosa/contracts/http/administration/admin-lists'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

withProsaServer()

const contactId = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33'
const message = (content: string, more: Partial<ListedMessage> = {}): ListedMessage => ({
  key: `${contactId}:${content}`,
  content,
  timestamp: '2026-11-20T12:00:00.000Z',
  sender: 'contact',
  status: null,
  contactId,
  contactName: 'Bruno Alves',
  contactPhone: null,
  account: { id: anUser.id, name: 'Rosa Lima', email: 'rosa@example.com' },
  ...more,
})

let asked: unknown[]
beforeAll(async () => {
  await Promise.all([import('../../../app/app-shell.tsx'), import('../admin-page.tsx'), import('./messages-tab.tsx')])
}, 60_000)
beforeEach(() => {
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get('/api/admin/messages', ({ request }) => {
      asked.push(new URL(request.url).search)
      const items = [message('Tem broa?'), message('Temos, sim.', { sender: 'user', status: 'failed' })]
      return HttpResponse.json({ items, nextCursor: null })
    }),
    http.post('/api/admin/messages/search', async ({ request }) => {
      const body = (await request.json()) as { cursor?: string }
      asked.push(body)
      return body.cursor
        ? HttpResponse.json({ items: [message('Achada longe')], nextCursor: null })
        : HttpResponse.json({ items: [], nextCursor: 'mais' })
    }),
  )
})

describe('Mensagens', () => {
  it('shows what each became, with why for what the tenant sent', async () => {
    renderApp('/admin?aba=mensagens')
    expect(await screen.findByText('Tem broa?')).toBeTruthy()
    expect(screen.getByRole('row', { name: /Temos, sim\. .* Falhou/ })).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Por quê? Tique da mensagem' })).toHaveLength(1)
  })

  it('is narrowed by status, by who wrote, and by days, in the address', async () => {
    renderApp('/admin?aba=mensagens&de=2026-11-01')
    await screen.findByText('Tem broa?')
    await userEvent.selectOptions(screen.getByLabelText('Situação'), 'Falhou')
    await userEvent.selectOptions(screen.getByLabelText('Quem escreveu'), 'Usuário')
    await waitFor(() => expect(asked.at(-1)).toBe('?status=failed&sender=user&from=2026-11-01'))
  })

  it('searches words and contacts without an address, and goes on where a page found nothing', async () => {
    renderApp('/admin?aba=mensagens')
    await userEvent.type(await screen.findByLabelText('Buscar nas mensagens'), 'broa')
    await userEvent.type(screen.getByLabelText('Contato, por nome ou número'), 'bruno')
    expect(await screen.findByText('Nada encontrado até aqui; há mais para procurar.')).toBeTruthy()
    await waitFor(() => expect(asked.at(-1)).toEqual({ search: 'broa', contact: 'bruno' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Carregar mais' }))
    expect(await screen.findByText('Achada longe')).toBeTruthy()
    expect(asked.at(-1)).toEqual({ search: 'broa', contact: 'bruno', cursor: 'mais' })
  })
})
