import type { ParkedWork, ReadModelReport } from '@prosa/contracts/http/operations'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Loaded before the tests, whose timeouts are for what the screen does and not for reading its code.
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

let works: ParkedWork[]
let readModels: ReadModelReport[]
let asked: { path: string; body: unknown }[]

beforeEach(() => {
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
