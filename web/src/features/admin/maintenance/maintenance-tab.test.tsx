import type { ParkedWork, ReadModelReport } from '@prosa/contracts/http/administration/operations'
import type { FlowLinkShown } from '@prosa/contracts/http/flow-links'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './maintenance-tab.tsx'

withProsaServer()

const work: ParkedWork = {
  id: '7c9a1b9e-4d60-4a63-8c62-3f0f8d0d5a11',
  worker: 'reactor dispatch-on-message-queued',
  tenant: null,
  eventId: '6f0f7d0e-53c3-4f0b-a0d2-0a5c8c1d9b11',
  errorName: 'TypeError',
  message: 'thrown at send.ts:41',
  attempts: 6,
  parkedAt: '2026-11-23T12:00:00.000Z',
  waiting: 3,
  request: null,
}
const contactList: ReadModelReport = {
  name: 'contact-list',
  version: 8,
  position: 12345,
  lag: 0,
  state: 'current',
  progress: null,
  requestedAt: null,
  rebuiltAt: null,
  parkedTenants: 0,
}

const notFound = 'Nenhuma mensagem de um fluxo tem este link, ou o contato dela foi apagado.'
const openLink: FlowLinkShown = {
  token: '0f1e2d3c4b5a69788796',
  url: 'https://banco-falso.example/entrar',
  userId: '4b5a6978-8796-4f1e-8d3c-4b5a69788796',
  flowId: '2c9d4e1f-7a3b-4c58-9e20-1f6a8b7c5d33',
  isBlocked: false,
  isEnded: false,
}

let link: FlowLinkShown
let works: ParkedWork[]
let readModels: ReadModelReport[]
let asked: { path: string; body: unknown }[]

beforeEach(() => {
  link = openLink
  works = [work]
  readModels = [contactList]
  asked = []
  const take = (path: string, status: number) =>
    http.post(path, async ({ request }) => {
      asked.push({ path: new URL(request.url).pathname, body: await request.json() })
      return HttpResponse.json({ id: work.id, name: contactList.name }, { status })
    })
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/parked-work', () => HttpResponse.json(works)),
    http.get('/api/admin/read-models', () => HttpResponse.json({ measure: 'events', readModels })),
    take('/api/admin/parked-work/:id/retry', 202),
    take('/api/admin/parked-work/:id/release', 202),
    take('/api/admin/read-models/:name/rebuild', 202),
    http.get('/api/admin/flow-links/:token', ({ params: { token } }) =>
      token === link.token
        ? HttpResponse.json(link)
        : HttpResponse.json({ type: 'flow_link_not_found', title: notFound, status: 404 }, { status: 404 }),
    ),
    ...(['block', 'unblock'] as const).map((way) =>
      http.post(`/api/admin/flow-links/:token/${way}`, async ({ request }) => {
        asked.push({ path: new URL(request.url).pathname, body: await request.json() })
        link = { ...link, isBlocked: way === 'block' }
        return HttpResponse.json(link)
      }),
    ),
  )
})

const open = () => renderApp('/admin?aba=manutencao')
const table = async (name: string) => within(await screen.findByRole('table', { name }))
const choose = async (row: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Ações de ${row}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the tab Manutenção', () => {
  it('lists work that stopped in words, with why, how often it was tried and what waits', async () => {
    open()
    const rows = await table('Trabalho parado')
    expect(await rows.findByText('Enviar mensagens pelo WhatsApp')).toBeTruthy()
    expect(rows.getByText('TypeError: thrown at send.ts:41')).toBeTruthy()
    expect(rows.getByText('6')).toBeTruthy()
    expect(rows.getByText('3 eventos')).toBeTruthy()
  })

  it('has it tried again after a confirmation, with or without a reason', async () => {
    open()
    await choose('Enviar mensagens pelo WhatsApp', 'Tentar novamente')
    const dialog = within(await screen.findByRole('dialog', { name: 'Tentar novamente?' }))
    expect(document.activeElement?.textContent).toBe('Cancelar')
    works = [{ ...work, request: 'retry' }]
    await userEvent.click(dialog.getByRole('button', { name: 'Tentar novamente' }))
    expect(await (await table('Trabalho parado')).findByText('Tentando de novo')).toBeTruthy()
    expect(asked).toEqual([{ path: `/api/admin/parked-work/${work.id}/retry`, body: {} }])
  })

  it('skips the event that fails for a reason only', async () => {
    open()
    await choose('Enviar mensagens pelo WhatsApp', 'Pular')
    const dialog = within(await screen.findByRole('dialog', { name: 'Pular o evento que falha?' }))
    const skip = dialog.getByRole<HTMLButtonElement>('button', { name: 'Pular' })
    expect(skip.disabled).toBe(true)
    await userEvent.type(dialog.getByLabelText('Motivo'), ' mensagem de teste ')
    await userEvent.click(skip)
    expect(await screen.findByText('O evento que falha foi pulado.')).toBeTruthy()
    expect(asked).toEqual([
      { path: `/api/admin/parked-work/${work.id}/release`, body: { reason: 'mensagem de teste' } },
    ])
  })

  it('is calm where nothing stopped', async () => {
    works = []
    open()
    expect(await screen.findByText('Nada está parado')).toBeTruthy()
  })

  it('shows how far each read model is, and has one rebuilt after a confirmation', async () => {
    open()
    const rows = await table('Tabelas de leitura')
    expect(await rows.findByText('Lista de conversas')).toBeTruthy()
    expect(rows.getByText('Em dia')).toBeTruthy()
    await choose('Lista de conversas', 'Reconstruir')
    const dialog = within(await screen.findByRole('dialog', { name: 'Reconstruir Lista de conversas?' }))
    await userEvent.type(dialog.getByLabelText('Motivo (opcional)'), 'faltam conversas')
    readModels = [{ ...contactList, state: 'rebuilding', progress: { percent: 40, secondsLeft: 90 } }]
    await userEvent.click(dialog.getByRole('button', { name: 'Reconstruir' }))
    expect(await rows.findByText('40%, faltam cerca de 2 min')).toBeTruthy()
    expect(rows.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    expect(asked).toEqual([
      { path: '/api/admin/read-models/contact-list/rebuild', body: { reason: 'faltam conversas' } },
    ])
  })

  it('offers no second rebuild while one is asked for, and shows whose rows stand still', async () => {
    readModels = [
      { ...contactList, state: 'requested' },
      { ...contactList, name: 'users', parkedTenants: 2 },
      { ...contactList, name: 'media', state: 'behind', lag: 1200 },
    ]
    open()
    const rows = await table('Tabelas de leitura')
    expect(await rows.findByText('Na fila para reconstruir')).toBeTruthy()
    expect(rows.getByText('Parada para algumas contas')).toBeTruthy()
    expect(rows.getByText('2 contas')).toBeTruthy()
    expect(rows.getByText('1.200 eventos')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Lista de conversas' }))
    const rebuild = await screen.findByRole('menuitem', { name: 'Reconstruir' })
    expect(rebuild.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('a link that somebody complained of', () => {
  const lookUp = async (address: string) => {
    open()
    const section = within(await screen.findByRole('region', { name: 'Links de fluxos' }))
    await userEvent.type(section.getByLabelText('Endereço do link'), address)
    await userEvent.click(section.getByRole('button', { name: 'Procurar' }))
    return section
  }
  const decide = async (verb: string, reason: string) => {
    const dialog = within(await screen.findByRole('dialog'))
    const button = dialog.getByRole('button', { name: verb })
    expect(button).toHaveProperty('disabled', true)
    await userEvent.type(dialog.getByLabelText('Motivo'), reason)
    await userEvent.click(button)
  }

  it('is found by its address, blocked with a reason, and unblocked with one', async () => {
    const section = await lookUp('https://prosa.example/r/0f1e2d3c4b5a69788796?x=1')
    expect(await section.findByText(openLink.url)).toBeTruthy()
    await userEvent.click(section.getByRole('button', { name: 'Bloquear' }))
    await decide('Bloquear', 'Imita um banco')
    expect(await section.findByText('Bloqueado')).toBeTruthy()
    await userEvent.click(section.getByRole('button', { name: 'Desbloquear' }))
    await decide('Desbloquear', 'Era engano')
    expect(await section.findByText('Aberto')).toBeTruthy()
    expect(asked).toEqual([
      { path: `/api/admin/flow-links/${openLink.token}/block`, body: { reason: 'Imita um banco' } },
      { path: `/api/admin/flow-links/${openLink.token}/unblock`, body: { reason: 'Era engano' } },
    ])
  })

  it('is asked for again where it is not whole, and where nobody sent it', async () => {
    const section = await lookUp('https://prosa.example/r/')
    expect(await section.findByText('Cole o endereço inteiro, com o que vem depois de /r/.')).toBeTruthy()
    await userEvent.type(section.getByLabelText('Endereço do link'), 'aaaaaaaaaaaaaaaaaaaa')
    await userEvent.click(section.getByRole('button', { name: 'Procurar' }))
    expect(await section.findByText(notFound)).toBeTruthy()
  })
})
