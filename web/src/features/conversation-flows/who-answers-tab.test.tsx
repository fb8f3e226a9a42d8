import type { OrderedFlow, WhoAnswers } from '@prosa/contracts/http/automation/flow-order'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { aConnection, anUser, prosaServer, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './conversation-flows-page.tsx'

withProsaServer()

const noon = '2026-11-16T12:00:00.000Z'
const flowOf = (id: string, name: string) => ({
  ...{ id, name, folderId: null, status: 'active', nodeCount: 2, version: 1, createdAt: noon, updatedAt: noon },
})
const keyword: OrderedFlow['start'] = { kind: 'keyword', words: ['bolo'], match: 'contains' }
let order: OrderedFlow[]
let orders: string[][]
let tried: unknown[]
let answers: WhoAnswers

beforeEach(() => {
  const all = { isOn: true, connectionIds: [] }
  order = [
    { flowId: 'bolo', start: keyword, ...all },
    { flowId: 'oi', start: { kind: 'any_message' }, ...all },
    { flowId: 'off', start: null, isOn: false, connectionIds: [] },
  ]
  orders = []
  tried = []
  answers = {
    ...{ speaker: 'flow', isOutOfHours: false, isReplyOn: false },
    flows: [
      { flowId: 'bolo', kind: 'keyword', verdict: 'answers' },
      { flowId: 'oi', kind: 'any_message', verdict: 'less_specific' },
      { flowId: 'off', kind: null, verdict: 'off' },
    ],
  }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/flow-folders', () => HttpResponse.json([])),
    http.get('/api/flows', () =>
      HttpResponse.json([flowOf('bolo', 'Bolos'), flowOf('oi', 'Boas-vindas'), flowOf('off', 'Antigo')]),
    ),
    http.get('/api/flow-statistics', () => HttpResponse.json([])),
    http.get('/api/labels', () => HttpResponse.json([])),
    http.get('/api/whatsapp/connections', () => HttpResponse.json([aConnection()])),
    http.get('/api/flow-order', () => HttpResponse.json(order)),
    http.put('/api/flow-order', async ({ request }) => {
      const { flowIds } = (await request.json()) as { flowIds: string[] }
      orders.push(flowIds)
      order = order.toSorted((one, other) => flowIds.indexOf(one.flowId) - flowIds.indexOf(other.flowId))
      return HttpResponse.json({ flowIds })
    }),
    http.post('/api/flow-order/who-answers', async ({ request }) => {
      tried.push(await request.json())
      return HttpResponse.json(answers)
    }),
  )
})

const open = async () => {
  renderApp('/conversation-flows?aba=quem-responde')
  await screen.findByRole('list', { name: 'Ordem dos fluxos' })
}
const rows = () =>
  within(screen.getByRole('list', { name: 'Ordem dos fluxos' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const trying = async (text: string) => {
  await userEvent.type(await screen.findByLabelText('O que o contato escreve'), text)
  await userEvent.click(screen.getByRole('button', { name: 'Ver quem responde' }))
}

it('shows who answers a written message, and for each flow why it does or does not', async () => {
  await open()
  await trying('quero bolo')
  expect(await screen.findByText('Responde o fluxo “Bolos”.')).toBeTruthy()
  expect(tried).toEqual([{ text: 'quero bolo', connectionId: aConnection().id, at: null, isNew: false }])
  expect(rows()).toEqual([
    expect.stringContaining('Responde'),
    expect.stringContaining('outro fluxo tem um gatilho mais específico'),
    expect.stringContaining('está desligado'),
  ])
})

it('names the reply out of hours, and that nobody answers', async () => {
  answers = { speaker: 'reply', isOutOfHours: true, isReplyOn: true, flows: [] }
  await open()
  await trying('oi')
  expect(await screen.findByText('Responde a resposta automática fora do horário.')).toBeTruthy()
  answers = { speaker: 'nobody', isOutOfHours: false, isReplyOn: true, flows: [] }
  await userEvent.click(screen.getByRole('button', { name: 'Ver quem responde' }))
  expect(await screen.findByText('Nenhum fluxo responde: a conversa fica em Aguardando.')).toBeTruthy()
})

it('asks for a message before it tries', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Ver quem responde' }))
  expect(await screen.findByText('Escreva a mensagem.')).toBeTruthy()
  expect(tried).toEqual([])
})

it('moves a flow by its arrows and by buttons, and keeps the focus on it', async () => {
  await open()
  const handle = screen.getByRole('button', { name: /^Mover Boas-vindas: 2º/ })
  handle.focus()
  await userEvent.keyboard('{ArrowUp}')
  await waitFor(() => expect(orders).toEqual([['oi', 'bolo', 'off']]))
  expect(await screen.findByText('Boas-vindas: 1º de 3')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Mover Boas-vindas: 1º/))
  await userEvent.keyboard('{ArrowUp}')
  await userEvent.click(screen.getByRole('button', { name: 'Descer Boas-vindas' }))
  await waitFor(() => expect(orders.slice(1)).toEqual([['bolo', 'oi', 'off']]))
  expect((screen.getByRole('button', { name: 'Subir Bolos' }) as HTMLButtonElement).disabled).toBe(true)
})
