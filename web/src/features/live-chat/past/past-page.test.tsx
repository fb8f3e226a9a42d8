import type { MomentMarks } from '@prosa/contracts/http/past/moments'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { Providers } from '../../../app/providers.tsx'
import { createQueryClient } from '../../../app/query-client.ts'
import { someContact } from '../testing/chat-server.ts'
import { someMessage } from '../testing/message-routes.ts'
import { PastPage } from './past-page.tsx'

const id = '3f0c2c0e-0d5a-4d57-9f0a-6a5b1a2c3d4f'
const at = (minute: number) => `2026-11-12T14:${minute}:00.000Z`
const marks = [30, 31, 32].map((minute) => ({ em: `token-${minute}`, at: at(minute) }))
const asked: string[] = []
const api = (path: string) => `http://127.0.0.1:3000${path}`

const server = setupServer(
  http.get(api('/api/moments'), ({ request }) => {
    const em = new URL(request.url).searchParams.get('em')
    if (em === 'future')
      return HttpResponse.json(
        { type: 'invalid_request', title: 'Este momento ainda não chegou.', status: 422, correlationId: 'x' },
        { status: 422 },
      )
    const current = marks.findIndex((mark) => mark.em === em)
    return HttpResponse.json({ marks, current: current === -1 ? 2 : current } satisfies MomentMarks)
  }),
  http.get(api('/api/moments/changes'), () =>
    HttpResponse.json({
      before: { waiting: 1, asked: 0, bot: 0, attending: 0, resolved: 0 },
      after: { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 1 },
      contacts: [{ id, name: null, before: 'waiting', after: 'resolved' }],
      total: 1,
      latest: 'token-32',
    }),
  ),
  http.get(api('/api/records/:kind/:id'), ({ request }) => {
    const em = new URL(request.url).searchParams.get('em')
    return HttpResponse.json({
      values: [{ label: 'Nome', value: em === 'token-32' ? 'Ana' : 'Aninha' }],
      marks,
      current: 0,
    })
  }),
  http.get(api('/api/whatsapp/contact-counts'), () =>
    HttpResponse.json({ waiting: 1, asked: 0, bot: 0, attending: 0, resolved: 0 }),
  ),
  http.get(api('/api/whatsapp/contacts'), ({ request }) => {
    asked.push(new URL(request.url).searchParams.get('em') ?? '')
    return HttpResponse.json([someContact({ id, name: 'Aninha' })])
  }),
  http.get(api('/api/whatsapp/contacts/:id'), () => HttpResponse.json(someContact({ id, name: 'Aninha' }))),
  http.get(api('/api/whatsapp/contacts/:id/messages'), () =>
    HttpResponse.json([someMessage({ id: 'm1', contactId: id, content: 'bom dia' })]),
  ),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => asked.splice(0))
afterAll(() => server.close())

const Screen = () => {
  const { search } = useLocation()
  return (
    <>
      <PastPage em={new URLSearchParams(search).get('em') ?? ''} />
      <output aria-label="Endereço">{search}</output>
    </>
  )
}

const open = (em: string) => {
  render(
    <Provider>
      <Providers queries={createQueryClient()}>
        <MemoryRouter initialEntries={[`/live-chat?em=${em}&contato=${id}`]}>
          <Screen />
        </MemoryRouter>
      </Providers>
    </Provider>,
  )
  return userEvent.setup()
}

it('shows list and conversation of a moment in a frame that names it, with nothing to change', async () => {
  open('token-31')
  expect(await screen.findByText(/^Você está vendo 12\/11\/2026 \d\d:31$/)).toBeDefined()
  const log = await screen.findByRole('log', { name: 'Conversa com Aninha como era' })
  expect(await within(log).findByText('bom dia')).toBeDefined()
  expect(within(log).queryAllByRole('button')).toEqual([])
  expect(screen.queryByRole('textbox', { name: /mensagem/i })).toBeNull()
  for (const name of ['Aceitar', 'Finalizar', 'Reabrir']) expect(screen.queryByRole('button', { name })).toBeNull()
})

it('steps back and forth from change to change, by button and by slider', async () => {
  const user = open('token-31')
  await screen.findByText(/:31$/)
  await user.click(screen.getByRole('button', { name: 'Mudança anterior' }))
  expect(await screen.findByText(/^Você está vendo .*:30$/)).toBeDefined()
  await waitFor(() => expect(asked.at(-1)).toBe('token-30'))
  expect(screen.getByRole('button', { name: 'Mudança anterior' }).hasAttribute('disabled')).toBe(true)
  fireEvent.change(screen.getByRole('slider', { name: 'Momento' }), { target: { value: '2' } })
  expect(await screen.findByText(/^Você está vendo .*:32$/)).toBeDefined()
  expect(screen.getByLabelText('Endereço').textContent).toContain('em=token-32')
})

it('says what changed since then, and shows the contact then and now side by side', async () => {
  const user = open('token-31')
  await user.click(await screen.findByRole('button', { name: 'O que mudou desde então' }))
  expect(await screen.findByText('[apagado]: aguardando → resolvida')).toBeDefined()
  const table = await screen.findByRole('table', { name: 'Este contato' })
  expect(within(table).getByText('Aninha')).toBeDefined()
  expect(within(table).getByText('Ana')).toBeDefined()
})

it('says why a moment cannot be shown, and leads back', async () => {
  open('future')
  expect(await screen.findByText('Este momento ainda não chegou.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Voltar para agora' }).getAttribute('href')).toBe(`/live-chat?contato=${id}`)
})
