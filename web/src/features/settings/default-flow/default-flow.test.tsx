import type { Flow } from '@prosa/contracts/http/flows'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const noon = '2026-11-16T12:00:00.000Z'
const flowOf = (id: string, name: string, status: Flow['status']): Flow => ({
  ...{ id, name, status, folderId: null, nodeCount: 2, createdAt: noon, updatedAt: noon },
  version: status === 'draft' ? null : 1,
})

let flows: Flow[]
let chosen: string | null
let asked: unknown[]

beforeEach(() => {
  flows = [
    flowOf('a', 'Boas-vindas', 'active'),
    flowOf('b', 'Pesquisa', 'inactive'),
    flowOf('c', 'Em desenho', 'draft'),
  ]
  chosen = null
  asked = []
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/flows', () => HttpResponse.json(flows)),
    http.get('/api/default-flow', () => HttpResponse.json({ flowId: chosen })),
    http.put('/api/flows/:id/on', async ({ params, request }) => {
      asked.push(await request.json())
      flows = flows.map((flow) => (flow.id === params.id ? { ...flow, status: 'active' } : flow))
      return HttpResponse.json(flows.find(({ id }) => id === params.id))
    }),
    http.put('/api/default-flow', async ({ request }) => {
      const body = (await request.json()) as { flowId: string | null }
      asked.push(body)
      chosen = body.flowId
      return HttpResponse.json(body)
    }),
  )
})

const open = () => renderApp('/settings?secao=fluxo-padrao')
const choice = () => screen.findByLabelText('Fluxo para contatos novos')
const toast = (text: string) => within(screen.getByLabelText('Avisos (F8)')).findByText(text)

it('offers the flows that are published, and none', async () => {
  open()
  expect([...(await choice()).querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Nenhum: a conversa espera em Aguardando',
    'Boas-vindas',
    'Pesquisa (desligado)',
  ])
  expect(screen.getByText(/^Quem escreve pela primeira vez espera em Aguardando/)).toBeTruthy()
})

it('saves the one that is chosen, and none again', async () => {
  open()
  await userEvent.selectOptions(await choice(), 'Boas-vindas')
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  expect(await toast('Fluxo padrão salvo com sucesso!')).toBeTruthy()
  expect(await screen.findByText(/^“Boas-vindas” conversa com quem escreve pela primeira vez/)).toBeTruthy()
  await userEvent.selectOptions(await choice(), 'Nenhum: a conversa espera em Aguardando')
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  expect(await screen.findByText(/^Quem escreve pela primeira vez espera em Aguardando/)).toBeTruthy()
  expect(asked).toEqual([{ flowId: 'a' }, { flowId: null }])
})

it('warns that the chosen one is off, and turns it on', async () => {
  chosen = 'b'
  open()
  expect(await screen.findByText('“Pesquisa” está desligado e não recebe ninguém até você ligar.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Ligar fluxo' }))
  expect(await toast('Fluxo ligado com sucesso!')).toBeTruthy()
  expect(asked).toEqual([{ isOn: true }])
  expect(await screen.findByText(/^“Pesquisa” conversa com quem escreve pela primeira vez/)).toBeTruthy()
})

it('leads to the flows while none is published', async () => {
  flows = [flowOf('c', 'Em desenho', 'draft')]
  open()
  expect(await screen.findByText('Nenhum fluxo publicado')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Abrir Fluxos de Conversa' }).getAttribute('href')).toBe(
    '/conversation-flows',
  )
})

it('keeps what was chosen when it could not be saved, and states why', async () => {
  prosaServer.use(http.put('/api/default-flow', () => refuse('flow_not_published')))
  open()
  await userEvent.selectOptions(await choice(), 'Boas-vindas')
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  expect(await toast('Falha ao salvar o fluxo padrão. Este fluxo ainda não foi publicado.')).toBeTruthy()
  expect(await choice()).toHaveProperty('value', 'a')
})
