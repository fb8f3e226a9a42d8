import type { WebhookCall, WebhookShown } from '@prosa/contracts/http/webhooks'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../../test/prosa-server.ts'
import { renderApp } from '../../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../../app/app-shell.tsx'
import '../../settings-page.tsx'

withProsaServer()

const receivedType = 'prosa.contacts.message-received.v1'
const types = [
  { type: receivedType, service: 'contacts', sentence: 'Uma mensagem chegou.' },
  { type: 'prosa.sessions.connection-lost.v1', service: 'sessions', sentence: 'Uma conexão caiu.' },
]
const planilha: WebhookShown = {
  id: 'a',
  name: 'Planilha',
  address: 'https://example.com/prosa',
  types: [receivedType],
  withPersonal: false,
  status: 'active',
  disabledCause: null,
  createdAt: '2026-11-27T12:00:00.000Z',
  statusSince: '2026-11-27T12:00:00.000Z',
}
const call = (changed: Partial<WebhookCall>): WebhookCall => ({
  eventId: 'e1',
  type: receivedType,
  recordedAt: '2026-11-27T12:00:00.000Z',
  status: 'failed',
  attempts: [{ at: '2026-11-27T12:00:01.000Z', status: null, durationMs: 10_000, failure: 'timeout' }],
  attemptCount: 1,
  nextTryAt: null,
  ...changed,
})

let stored: WebhookShown[] = []
let calls: WebhookCall[] = []
let asked: unknown[] = []

beforeEach(() => {
  stored = [planilha]
  calls = []
  asked = []
  const note = async ({ request }: { request: Request }) => {
    const text = await request.text()
    asked.push([request.method, new URL(request.url).pathname, text === '' ? undefined : JSON.parse(text)])
  }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/streams', () => HttpResponse.json(types)),
    http.get('/api/webhooks', () => HttpResponse.json(stored)),
    http.get('/api/webhooks/:id/calls', () => HttpResponse.json(calls)),
    http.post('/api/webhooks', async (about) => {
      await note(about)
      return HttpResponse.json({ id: 'new', secret: 'whsec_abc' }, { status: 201 })
    }),
    http.post('/api/webhooks/:id/:what', async (about) => {
      await note(about)
      return HttpResponse.json({ id: 'a', secret: 'whsec_novo' })
    }),
    http.delete('/api/webhooks/:id', async (about) => {
      await note(about)
      stored = []
      return HttpResponse.json({ id: 'a' })
    }),
  )
})

const open = () => renderApp('/settings?secao=integracoes')

describe('Webhooks', () => {
  it('teach the next step where there is none, and are made with a secret that is shown once', async () => {
    stored = []
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Novo webhook' }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Criar' }))
    expect(dialog.getByText('Escolha ao menos um tipo de evento.')).toBeTruthy()
    expect(asked).toEqual([])
    await userEvent.type(dialog.getByLabelText('Nome'), ' Planilha ')
    await userEvent.click(dialog.getByLabelText('Endereço'))
    await userEvent.paste('https://example.com/prosa')
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'Uma mensagem chegou.' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Criar' }))
    expect(await screen.findByText('whsec_abc')).toBeTruthy()
    const body = { name: 'Planilha', address: 'https://example.com/prosa', types: [receivedType], withPersonal: false }
    expect(asked).toEqual([['POST', '/api/webhooks', body]])
    await userEvent.click(screen.getByRole('button', { name: 'Já guardei' }))
    expect(screen.queryByText('whsec_abc')).toBeNull()
  })

  it('say at the field why an address is refused', async () => {
    prosaServer.use(
      http.put('/api/webhooks/:id', () =>
        refuse('webhook_address_private', [{ field: 'address', message: 'Este endereço é de uma rede interna.' }]),
      ),
    )
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Ações de Planilha' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Editar' }))
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    expect(await screen.findByText('Este endereço é de uma rede interna.')).toBeTruthy()
    expect(screen.getByLabelText('Endereço').getAttribute('aria-invalid')).toBe('true')
  })

  it('that were disabled say why, and are resumed', async () => {
    stored = [{ ...planilha, status: 'disabled', disabledCause: 'failing' }]
    open()
    expect(await screen.findByText(/O endereço não aceitou nenhuma entrega por um dia/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Religar' }))
    expect(asked).toEqual([['POST', '/api/webhooks/a/resume', undefined]])
  })

  it('show what was sent and what came back, and repeat one or all', async () => {
    calls = [
      call({ eventId: 'e3', status: 'waiting', attempts: [], attemptCount: 0 }),
      call({}),
      call({
        eventId: 'e2',
        status: 'delivered',
        attempts: [{ at: '2026-11-27T12:00:01.000Z', status: 204, durationMs: 31, failure: null }],
      }),
    ]
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Ver entregas' }))
    expect(await screen.findByText('não respondeu em 10 segundos · 10000 ms')).toBeTruthy()
    expect(screen.getByText('respondeu 204 · 31 ms')).toBeTruthy()
    expect(screen.getByText('espera por uma entrega anterior da mesma conversa')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Repetir' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Repetir todas que falharam' }))
    expect(asked).toEqual([
      ['POST', '/api/webhooks/a/repeat', { eventId: 'e1' }],
      ['POST', '/api/webhooks/a/repeat', { eventId: null }],
    ])
  })

  it('ask before the secret is changed and before they are removed', async () => {
    open()
    const choose = async (name: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'Ações de Planilha' }))
      await userEvent.click(screen.getByRole('menuitem', { name }))
    }
    await choose('Trocar segredo')
    await userEvent.click(screen.getByRole('button', { name: 'Trocar' }))
    expect(await screen.findByText('whsec_novo')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Já guardei' }))
    await choose('Excluir')
    await userEvent.click(screen.getByRole('button', { name: 'Excluir' }))
    expect(await screen.findByText('Nenhum webhook ainda')).toBeTruthy()
    expect(asked).toEqual([
      ['POST', '/api/webhooks/a/secret', undefined],
      ['DELETE', '/api/webhooks/a', undefined],
    ])
  })
})
