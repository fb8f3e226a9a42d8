import type { PublishedStream } from '@prosa/contracts/http/streams'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../app/analyst-routes.tsx'
import './data-page.tsx'

withProsaServer()

const entry = (name: string, service: string, sentence: string): PublishedStream => ({
  ...{ type: `prosa.${service}.${name}.v1`, service, category: 'chat', sentence, since: '2026-11-27' },
  fields: [
    { name: 'text', sentence: 'O texto.', isPersonal: true, isOptional: true },
    { name: 'seconds', sentence: 'Quanto durou.', unit: 's', isPersonal: false, isOptional: false },
  ],
  schema: {},
  example: { text: 'Oi', seconds: 3 },
})
const catalogue = [
  entry('message-received', 'contacts', 'Uma pessoa escreveu.'),
  entry('order-reported', 'billing', 'A Kiwify avisou de um pedido.'),
]
const event = (number: number) => ({
  ...{ id: `event ${number}`, type: 'prosa.contacts.message-received.v1', subject: 'chat-1', tenant: 'abcdefgh-1' },
  ...{ time: `2026-11-21T12:00:0${number % 10}.000Z`, data: { seconds: number } },
})
const ndjson = (events: readonly object[]) =>
  new HttpResponse(events.map((each) => `${JSON.stringify(each)}\n`).join(''), {
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
  })

let asked: string[] = []
let saved: { name: string; blob: Blob }[] = []

beforeEach(() => {
  asked = []
  saved = []
  let last: Blob | undefined
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      last = blob
      return 'blob:file'
    },
    revokeObjectURL: () => undefined,
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download && last) saved.push({ name: this.download, blob: last })
  })
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/streams', () => HttpResponse.json(catalogue)),
    http.get('/api/streams/tables', () => refuse('route_not_found')),
    http.get('/api/streams/events', ({ request }) => {
      asked.push(new URL(request.url).search)
      return ndjson(Array.from({ length: 50 }, (_, number) => event(number)))
    }),
  )
  return () => vi.restoreAllMocks()
})

describe('Dados', () => {
  it('shows the first rows of what was chosen, and leaves the rest', async () => {
    renderApp('/data')
    await userEvent.type(await screen.findByLabelText('Buscar eventos'), 'kiwify')
    await userEvent.click(screen.getByLabelText(/^order-reported/))
    expect(await screen.findByText('1 tipo de evento')).toBeTruthy()
    await userEvent.click(screen.getByText('Ver as primeiras linhas'))
    const rows = await screen.findByRole('region', { name: 'Linhas' })
    expect(within(rows).getAllByRole('row')).toHaveLength(21)
    expect(within(rows).getAllByText('abcdefgh')).toHaveLength(20)
    expect(asked).toEqual(['?type=prosa.billing.order-reported.v1'])
  })

  it('downloads what was chosen, with personal data only where they are asked for', async () => {
    renderApp('/data')
    await userEvent.click(await screen.findByLabelText('Incluir os dados pessoais dos meus contatos'))
    await userEvent.click(screen.getByText('Baixar'))
    expect(await screen.findByText(/^Pronto, nos seus downloads: 50 linhas/)).toBeTruthy()
    expect(asked).toEqual(['?personal=true'])
    expect(saved.map(({ name }) => name)).toEqual(['eventos.ndjson'])
    expect((await saved[0]?.blob.text())?.split('\n')).toHaveLength(51)
  })

  it('says that a file is empty, why it was refused, and that an answer was cut short', async () => {
    renderApp('/data')
    const answer = async (reply: () => Response, words: RegExp) => {
      prosaServer.use(http.get('/api/streams/events', reply as () => HttpResponse<string>, { once: true }))
      await userEvent.click(await screen.findByText('Baixar'))
      expect(await screen.findByText(words)).toBeTruthy()
    }
    await answer(() => ndjson([]), /o arquivo está vazio/)
    await answer(() => refuse('too_many_streams'), /já lê eventos demais/)
    const cut = () =>
      new HttpResponse(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event(1))}\n`))
          },
          pull(controller) {
            controller.error(new TypeError('network error'))
          },
        }),
        { headers: { 'content-type': 'application/x-ndjson' } },
      )
    await answer(cut, /A resposta parou no meio/)
    expect(saved.map(({ blob }) => blob.size)).toEqual([0])
  })

  it('is cancelled, and leaves nothing', async () => {
    let isLeft = false
    prosaServer.use(
      http.get('/api/streams/events', ({ request }) => {
        request.signal.addEventListener('abort', () => {
          isLeft = true
        })
        return new HttpResponse(new ReadableStream({}), { headers: { 'content-type': 'application/x-ndjson' } })
      }),
    )
    renderApp('/data')
    await userEvent.click(await screen.findByText('Baixar'))
    await userEvent.click(await screen.findByText('Cancelar'))
    expect(await screen.findByText('Cancelado. Nada ficou no navegador.')).toBeTruthy()
    await waitFor(() => expect(isLeft).toBe(true))
    expect(saved).toEqual([])
  })

  it('asks nothing that cannot be asked', async () => {
    renderApp('/data')
    await userEvent.click(await screen.findByText('Por dias'))
    expect(screen.getByText('Baixar').closest('button')).toHaveProperty('disabled', true)
    expect(screen.getAllByText('Escolha pelo menos um dos dias.').length).toBeGreaterThan(0)
  })

  it('copies the question as a command, by position too', async () => {
    renderApp('/data?periodo=position&depois=xyz&formato=csv')
    const command = await screen.findByLabelText('Comando para curl')
    expect(command.textContent).toContain('/api/streams/events?after=xyz&format=csv')
    await userEvent.click(screen.getByText('npm run replay'))
    expect(screen.getByLabelText('Comando para npm run replay').textContent).toContain("--from 'xyz'")
  })

  it('explains each event, field by field, and leads to a question about it', async () => {
    renderApp('/data?aba=catalogo&busca=pessoa')
    await userEvent.click(await screen.findByText('message-received'))
    expect(await screen.findByText('O texto.')).toBeTruthy()
    expect(screen.getByText(/^dado pessoal: /)).toBeTruthy()
    expect(screen.getByLabelText('Exemplo de message-received').textContent).toContain('"seconds": 3')
    expect(screen.queryByText('order-reported')).toBeNull()
    await userEvent.click(screen.getByText('Acompanhar ao vivo'))
    expect((await screen.findByLabelText('O último evento')).textContent).toContain('event 49')
    expect(asked[0]).toMatch(/^\?type=prosa.contacts.message-received.v1&since=.*&live=true$/)
    await userEvent.click(screen.getByText('Consultar só este'))
    expect(await screen.findByText('1 tipo de evento')).toBeTruthy()
  })

  it('offers ready tables where the server has them', async () => {
    const waited = {
      name: 'waited',
      sentence: 'Quanto esperou.',
      unit: 's',
      isPersonal: false,
      isNullable: true,
      from: [],
    }
    const conversations = { name: 'conversations', sentence: 'Uma linha por conversa.', since: '2026-11-27' }
    prosaServer.use(
      http.get('/api/streams/tables', () => HttpResponse.json([{ ...conversations, columns: [waited], example: {} }])),
      http.get('/api/streams/tables/conversations', ({ request }) => {
        asked.push(new URL(request.url).search)
        return new HttpResponse('waited\r\n7\r\n', { headers: { 'content-type': 'text/csv; charset=utf-8' } })
      }),
    )
    renderApp('/data?aba=catalogo')
    await userEvent.click(await screen.findByText('Conversas'))
    expect(await screen.findByText('Quanto esperou.')).toBeTruthy()
    await userEvent.click(screen.getByText('Consultar esta tabela'))
    expect(await screen.findByText('Uma linha por conversa.')).toBeTruthy()
    expect(screen.queryByText('Por posição')).toBeNull()
    expect(screen.queryByText('npm run replay')).toBeNull()
    await userEvent.click(screen.getByText('CSV'))
    await userEvent.click(screen.getByText('Baixar'))
    expect(await screen.findByText(/^Pronto, nos seus downloads: 11 bytes/)).toBeTruthy()
    expect([asked, saved.map(({ name }) => name)]).toEqual([['?format=csv'], ['conversations.csv']])
  })

  it('saves nothing under the name of a format that the server does not write', async () => {
    renderApp('/data?formato=parquet')
    await userEvent.click(await screen.findByText('Baixar'))
    expect(await screen.findByText(/ainda não escreve neste formato/)).toBeTruthy()
    expect(saved).toEqual([])
  })

  it('is all that an analyst sees, whatever the address', async () => {
    prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['analyst'] })))
    renderApp('/live-chat')
    expect(await screen.findByText(/Ninguém é reconhecível/)).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Principal' })).toBeNull()
    expect(screen.queryByLabelText('Incluir os dados pessoais dos meus contatos')).toBeNull()
    await userEvent.click(screen.getByLabelText('Menu de Marina Azevedo'))
    const menu = await screen.findByRole('menu')
    const items = within(menu).getAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Dados', 'Perfil', 'Sair'])
  })

  it('gives an analyst keys for all tenants', async () => {
    const created: unknown[] = []
    prosaServer.use(
      http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['analyst'] })),
      http.get('/api/keys', () => HttpResponse.json([])),
      http.post('/api/analyst/keys', async ({ request }) => {
        created.push(await request.json())
        return HttpResponse.json({ id: 'new', key: 'prosa_secret' }, { status: 201 })
      }),
    )
    renderApp('/data?aba=chaves')
    await userEvent.click(await screen.findByText('Criar chave'))
    expect(screen.queryByLabelText('Incluir os dados pessoais dos meus contatos')).toBeNull()
    await userEvent.type(screen.getByLabelText('Nome'), 'Pesquisa{Enter}')
    expect(await screen.findByText('prosa_secret')).toBeTruthy()
    expect(created).toEqual([{ name: 'Pesquisa', scopes: ['streams'], expiresInDays: 90 }])
  })

  it('lets a session that has ended be seen', async () => {
    renderApp('/data')
    await screen.findByText('Baixar')
    prosaServer.use(
      http.get('/api/auth/user', () => refuse('not_signed_in')),
      http.get('/api/streams/events', () => refuse('key_required')),
    )
    await userEvent.click(screen.getByText('Baixar'))
    expect(await screen.findByText(/Sua sessão terminou/)).toBeTruthy()
  })
})
