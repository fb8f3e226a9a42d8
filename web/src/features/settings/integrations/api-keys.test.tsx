import type { ApiKeyShown } from '@prosa/contracts/http/keys'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/router.tsx'
import '../settings-page.tsx'

withProsaServer()

const aKey = (of: Partial<ApiKeyShown> = {}): ApiKeyShown => ({
  id: 'a',
  name: 'Painel',
  reach: 'tenant',
  scopes: ['streams'],
  withPersonal: false,
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2099-11-20T12:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  ...of,
})

let keys: ApiKeyShown[] = []
let asked: unknown[] = []
const secret = `prosa_${'x'.repeat(43)}_${'0'.repeat(64)}`

beforeEach(() => {
  keys = []
  asked = []
  const create = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as { name: string }
    asked.push([new URL(request.url).pathname, body])
    keys = [...keys, aKey({ id: body.name, name: body.name })]
    return HttpResponse.json({ id: 'new', key: secret }, { status: 201 })
  }
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/keys', () => HttpResponse.json(keys)),
    http.post('/api/keys', create),
    http.post('/api/analyst/keys', create),
    http.delete('/api/keys/:id', ({ params }) => {
      keys = keys.map((key) => (key.id === params.id ? { ...key, revokedAt: '2026-11-21T12:00:00.000Z' } : key))
      return HttpResponse.json({ id: params.id })
    }),
  )
})

const open = () => renderApp('/settings?secao=integracoes')
const dialog = (name: string | RegExp) => within(screen.getByRole('dialog', { name }))

describe('Chaves de API', () => {
  it('creates a key, shows it once, and says first what personal data mean', async () => {
    open()
    await userEvent.click(await screen.findByText('Criar chave'))
    await userEvent.type(screen.getByLabelText('Nome'), ' Planilha {Enter}')
    await screen.findByText('Copie a chave Planilha')
    expect(screen.getByText(secret)).toBeTruthy()
    expect(asked).toEqual([
      ['/api/keys', { name: 'Planilha', scopes: ['streams'], expiresInDays: 90, withPersonal: false }],
    ])
    await userEvent.keyboard('{Escape}')
    expect(screen.getByText(secret)).toBeTruthy()
    await userEvent.click(screen.getByText('Já guardei'))
    await waitFor(() => expect(screen.queryByText(secret)).toBeNull())
    expect(await screen.findByText('Planilha', { selector: 'h3' })).toBeTruthy()

    await userEvent.click(screen.getByText('Criar chave'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Tudo')
    await userEvent.click(screen.getByLabelText(/^Ler as tabelas/))
    await userEvent.click(screen.getByLabelText('Incluir os dados pessoais dos meus contatos'))
    expect(screen.getByText(/Quem tiver esta chave lê nomes, telefones e mensagens/)).toBeTruthy()
    await userEvent.click(screen.getByText('7 dias'))
    await userEvent.click(dialog('Criar chave de API').getByRole('button', { name: 'Criar chave' }))
    await screen.findByText('Copie a chave Tudo')
    expect(asked[1]).toEqual([
      '/api/keys',
      { name: 'Tudo', scopes: ['streams', 'tables'], expiresInDays: 7, withPersonal: true },
    ])
  })

  it('asks for a name and for something that it opens before it asks the server', async () => {
    open()
    await userEvent.click(await screen.findByText('Criar chave'))
    await userEvent.click(screen.getByLabelText(/^Ler os eventos/))
    await userEvent.click(dialog('Criar chave de API').getByRole('button', { name: 'Criar chave' }))
    expect(screen.getByText('Dê um nome à chave.')).toBeTruthy()
    expect(screen.getByText('Escolha pelo menos uma coisa que ela abre.')).toBeTruthy()
    expect(asked).toEqual([])
  })

  it('lists what each opens, until when, and when it was used; ended ones cannot be revoked', async () => {
    keys = [
      aKey({ withPersonal: true, lastUsedAt: '2026-11-20T14:00:00.000Z' }),
      aKey({ id: 'b', name: 'Velha', expiresAt: '2026-11-21T12:00:00.000Z' }),
      aKey({ id: 'c', name: 'Perdida', revokedAt: '2026-11-20T13:00:00.000Z' }),
    ]
    open()
    expect(await screen.findByText('Ler os eventos desta conta; eventos e tabelas com dados pessoais')).toBeTruthy()
    expect(screen.getByText(/último uso: /)).toBeTruthy()
    for (const state of ['Ativa', 'Vencida', 'Revogada']) expect(screen.getByText(state)).toBeTruthy()
    expect(screen.getAllByLabelText(/^Revogar /)).toHaveLength(1)
  })

  it('revokes a key only after asking', async () => {
    keys = [aKey()]
    open()
    await userEvent.click(await screen.findByLabelText('Revogar Painel'))
    expect(screen.getByText('Ativa')).toBeTruthy()
    await userEvent.click(dialog('Revogar Painel?').getByRole('button', { name: 'Revogar' }))
    expect(await screen.findByText('Revogada')).toBeTruthy()
  })

  it('shows it when they cannot be read, and says why a key was not created', async () => {
    prosaServer.use(http.get('/api/keys', () => refuse('unexpected'), { once: true }))
    open()
    expect(await screen.findByText('As chaves não puderam ser lidas')).toBeTruthy()
    await userEvent.click(screen.getByText('Tentar de novo'))
    prosaServer.use(http.post('/api/keys', () => refuse('too_many_attempts')))
    await userEvent.click(await screen.findByText('Criar chave'))
    await userEvent.type(screen.getByLabelText('Nome'), 'Uma{Enter}')
    expect(await screen.findByText(/^A chave não foi criada\. /)).toBeTruthy()
    expect(screen.getByLabelText('Nome')).toHaveProperty('value', 'Uma')
  })
})
