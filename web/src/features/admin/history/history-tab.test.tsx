import type { HistoryEntry, HistoryThread, WhyAnswer } from '@prosa/contracts/http/history'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../admin-page.tsx'
import './history-tab.tsx'

withProsaServer()

const ana = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c33'
const at = (hour: string) => `2027-01-12T${hour}:00.000Z`
const entry = (of: Partial<HistoryEntry> & Pick<HistoryEntry, 'id' | 'text'>): HistoryEntry => ({
  type: 'AccessGranted',
  at: at('15:00'),
  depth: 0,
  icon: 'access',
  actor: { kind: 'system', id: null, name: 'Sistema' },
  reason: null,
  rule: null,
  differences: [],
  records: [],
  ...of,
})
const order = { kind: 'order', id: 'order-1', name: 'ABC1234' } as const

const thread: HistoryThread = {
  id: '7',
  at: at('15:00'),
  cause: null,
  hidden: 0,
  entries: [
    entry({
      id: 'a',
      text: 'Kiwify aprovou o pedido ABC1234 (R$ 97,00 por Pix)',
      icon: 'purchase',
      actor: { kind: 'webhook', id: null, name: 'Kiwify' },
      records: [order],
    }),
    entry({
      id: 'b',
      depth: 1,
      text: 'O pedido ABC1234 vale: acesso até 12/02/2027',
      reason: 'Pedido da cliente',
      differences: [{ label: 'Acesso até', before: '01/12/2026', after: '12/02/2027' }],
      records: [{ kind: 'user', id: ana, name: 'Ana Souza' }, order],
    }),
  ],
}

let asked: URLSearchParams[]
let items: HistoryThread[]
let searched: unknown[]
const moments = [0, 1].map((index) => ({ em: `token-${index}`, at: `2026-11-12T1${index}:00:00.000Z` }))
let records: string[] = []
let exported: unknown[]
beforeEach(() => {
  asked = []
  searched = []
  exported = []
  records = []
  items = [thread]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, roles: ['admin'] })),
    http.get('/api/admin/summary', () => refuse('unavailable')),
    http.get('/api/admin/history', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ items, nextCursor: null })
    }),
    http.post('/api/admin/history/search', async ({ request }) => {
      searched.push(await request.json())
      return HttpResponse.json({ items, nextCursor: null, found: [{ kind: 'user', id: ana, name: 'Ana Souza' }] })
    }),
    http.post('/api/admin/history/export', async ({ request }) => {
      exported.push(await request.json())
      const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="historico.csv"' }
      return new HttpResponse('a;b\n', { headers })
    }),
    http.get('/api/admin/records/:kind/:id', ({ request, params }) => {
      records.push(`${params.kind}:${params.id}`)
      const em = new URL(request.url).searchParams.get('em') ?? ''
      const current = moments.findIndex((each) => each.em === em)
      const value = current === 0 ? '12/02/2027' : '12/03/2027'
      const marks = { marks: moments, current: current === -1 ? 1 : current, latest: 'token-1' }
      return HttpResponse.json({ values: [{ label: 'Acesso até', value }], ...marks })
    }),
  )
})

const entries = async () =>
  within(await screen.findByRole('list', { name: 'Histórico' })).findAllByText(/pedido ABC1234/)

describe('Histórico', () => {
  it('asks why of a record that no list of the panel shows, as a connection', async () => {
    const answer: WhyAnswer = {
      label: 'Número',
      before: '(11) 90000-0001',
      after: '(11) 90000-0002',
      entry: entry({ id: 'n', text: 'O número foi conectado a “Loja”', rule: 'quem leu o QR Code autorizou o Prosa' }),
      causes: [{ text: 'um aviso do WhatsApp', at: null }],
    }
    prosaServer.use(http.get('/api/admin/history/connection/c1/why/number', () => HttpResponse.json(answer)))
    renderApp('/admin?aba=historico&registro=connection:c1')
    const whys = within(await screen.findByRole('region', { name: 'Por que está assim' }))
    expect(whys.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Situação', 'Nome', 'Número'])
    await userEvent.click(whys.getByRole('button', { name: 'Por quê? Número' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Número: (11) 90000-0002' }))
    expect(shown.getByText('quem leu o QR Code autorizou o Prosa')).toBeTruthy()
  })

  it('asks for no values of what has none, as an address', async () => {
    renderApp('/admin?aba=historico&registro=email:e1')
    await screen.findByRole('list', { name: 'Histórico' })
    expect(screen.queryByRole('region', { name: 'Por que está assim' })).toBeNull()
  })

  it('narrows refusals by days, and says what is wrong with two', async () => {
    const days: string[] = []
    prosaServer.use(
      http.get('/api/admin/refused-requests', ({ request }) => {
        const { search, searchParams } = new URL(request.url)
        days.push(search)
        const isWrong = (searchParams.get('to') ?? '9') < (searchParams.get('from') ?? '')
        return isWrong ? refuse('invalid_request') : HttpResponse.json([])
      }),
    )
    renderApp('/admin?aba=historico')
    await userEvent.click(await screen.findByText('Recusas'))
    expect(await screen.findByText('Nada foi recusado nos últimos 30 dias.')).toBeTruthy()
    const refusals = within(screen.getByText('Recusas').closest('details') as HTMLElement)
    fireEvent.change(refusals.getByLabelText('De'), { target: { value: '2027-01-12' } })
    expect(await refusals.findByText('Nada foi recusado com estes filtros.')).toBeTruthy()
    expect(days.at(-1)).toBe('?from=2027-01-12')
    fireEvent.change(refusals.getByLabelText('Até'), { target: { value: '2027-01-11' } })
    expect(await refusals.findByText('O último dia vem antes do primeiro. Troque as datas.')).toBeTruthy()
  })

  it('narrows refusals to an address by a press, or by its code in the search', async () => {
    const asked: string[] = []
    const row = {
      ...{ day: '2027-01-12', account: null, route: 'POST /api/auth/login', command: 'Entra na conta.', count: 2 },
      ...{ reason: 'E-mail ou senha incorretos.', address: 'F31899C8AA', firstAt: thread.at, lastAt: thread.at },
    }
    prosaServer.use(
      http.get('/api/admin/refused-requests', ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json([row])
      }),
    )
    renderApp('/admin?aba=historico')
    await userEvent.click(await screen.findByText('Recusas'))
    await userEvent.click(await screen.findByRole('button', { name: 'Só as recusas do endereço F31899C8' }))
    expect(screen.getByLabelText('Código do endereço')).toHaveProperty('value', 'F31899C8')
    await waitFor(() => expect(asked.at(-1)).toBe('?address=F31899C8'))
    await userEvent.clear(screen.getByLabelText('Código do endereço'))
    await userEvent.type(screen.getByLabelText('Código do endereço'), 'não é')
    expect(screen.getByText('De 4 a 64 letras de A a F e números.')).toBeTruthy()
    expect(asked.every((query) => query === '' || query.startsWith('?address=F31899C8'))).toBe(true)
    await userEvent.type(screen.getByLabelText(/^Nome, e-mail/), 'f31899c8')
    expect(await screen.findByText('Recusas do endereço F31899C8')).toBeTruthy()
  })

  it('has the whole time in each line, so that a copied one is found again', async () => {
    renderApp('/admin?aba=historico')
    await entries()
    const times = [...document.querySelectorAll('.timeline-entry > time')].map(({ textContent }) => textContent)
    expect(times.length).toBe(thread.entries.length)
    for (const text of times) expect(text).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d/)
  })

  it('shows causes with their effects, who did it, why, and what it was before', async () => {
    renderApp('/admin?aba=historico')
    expect((await entries()).map(({ textContent }) => textContent)).toEqual(thread.entries.map(({ text }) => text))
    expect(screen.getByText('por Kiwify')).toBeTruthy()
    expect(screen.getByText('Motivo: Pedido da cliente')).toBeTruthy()
    const row = within(screen.getByRole('table')).getByRole('row', { name: /Acesso até/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['01/12/2026', '12/02/2027'])
    expect(screen.getAllByRole('link', { name: 'Pedido ABC1234' })).toHaveLength(1)
  })

  it('names whoever did it once, and whom it is about', async () => {
    const admin = { kind: 'admin', id: 'e5f7d5a0-93a7-4d0e-9b50-52f1f8a3c7aa', name: 'Rita Lima' } as const
    const records = [
      { kind: 'user' as const, id: admin.id, name: admin.name },
      { kind: 'user' as const, id: ana, name: 'Ana Souza' },
    ]
    const read = entry({
      id: 'c',
      text: 'Rita Lima leu o histórico de Ana Souza',
      icon: 'reading',
      actor: admin,
      records,
    })
    items = [{ ...thread, entries: [read] }]
    renderApp('/admin?aba=historico')
    await screen.findByText(read.text)
    expect(screen.getAllByText('Rita Lima')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Ana Souza' })).toBeTruthy()
  })

  it('keeps its filters in the address, and goes to the timeline of what an entry names', async () => {
    renderApp('/admin?aba=historico&assunto=access&de=2027-01-01')
    await entries()
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({ group: 'access', from: '2027-01-01' })
    await userEvent.selectOptions(screen.getByLabelText('Quem fez'), 'Kiwify')
    await entries()
    expect(asked.at(-1)?.get('actor')).toBe('webhook')
    await userEvent.click(screen.getByRole('link', { name: 'Ana Souza' }))
    expect(await screen.findByRole('heading', { name: 'Ana Souza' })).toBeTruthy()
    expect(asked.at(-1)?.get('record')).toBe(`user:${ana}`)
  })

  it('shows a record as it was in the frame of the past: steps, two moments side by side, and the way back', async () => {
    const [first] = thread.entries
    items = [
      {
        ...thread,
        entries: [{ ...(first as HistoryThread['entries'][number]), em: 'token-0', past: { kind: 'access', id: ana } }],
      },
    ]
    renderApp('/admin?aba=historico')
    await userEvent.click(await screen.findByRole('link', { name: 'Ver como era' }))
    expect(await screen.findByText('12/02/2027', { selector: 'dd' })).toBeTruthy()
    expect(records).toContain(`access:${ana}`)
    expect(screen.getByText(/^Você está vendo 12\/11\/2026/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'O que mudou desde então' }))
    const table = within(await screen.findByRole('table', { name: '1 valor mudou' }))
    expect(table.getAllByRole('columnheader').at(-1)?.textContent).toBe('Agora')
    expect(table.getByText('12/03/2027')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Comparar com: mudança anterior' }))
    expect(await screen.findByRole('table', { name: 'Nada mudou entre os dois momentos.' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Próxima mudança' }))
    expect(await screen.findByText('12/03/2027', { selector: 'dd' })).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: 'Voltar para agora' }))
    await waitFor(() => expect(screen.queryByText(/^Você está vendo/)).toBeNull())
  })

  it('sends names and addresses in no address, and opens what they name', async () => {
    renderApp('/admin?aba=historico&assunto=access')
    await entries()
    await userEvent.type(screen.getByLabelText(/^Nome, e-mail/), 'ana@padaria.com.br')
    await userEvent.click(await screen.findByRole('button', { name: 'Usuário Ana Souza' }))
    expect(searched).toContainEqual({ text: 'ana@padaria.com.br', group: 'access' })
    expect(asked.some((query) => String(query).includes('padaria'))).toBe(false)
    expect(await screen.findByRole('heading', { name: 'Ana Souza' })).toBeTruthy()
    expect(asked.at(-1)?.get('record')).toBe(`user:${ana}`)
    await userEvent.click(screen.getByRole('button', { name: /Tudo desta conta/ }))
    await waitFor(() => expect(asked.at(-1)?.get('tenant')).toBe(ana))
  })

  it('keeps a code in the address, and a phone number not', async () => {
    renderApp('/admin?aba=historico')
    await entries()
    const field = screen.getByLabelText(/^Nome, e-mail/)
    await userEvent.type(field, 'ABC1234')
    await waitFor(() => expect(asked.at(-1)?.get('search')).toBe('ABC1234'))
    await userEvent.clear(field)
    await userEvent.type(field, '11988776655')
    await waitFor(() => expect(searched).toEqual([{ text: '11988776655' }]))
  })

  it('exports what is filtered', async () => {
    const saved: string[] = []
    URL.createObjectURL = () => 'blob:x'
    HTMLAnchorElement.prototype.click = function () {
      saved.push(this.download)
    }
    renderApp('/admin?aba=historico&assunto=access&de=2027-01-01')
    await entries()
    await userEvent.click(screen.getByRole('button', { name: 'Exportar CSV' }))
    await waitFor(() => expect(saved).toEqual(['historico.csv']))
    expect(exported).toEqual([{ group: 'access', from: '2027-01-01', format: 'csv' }])
  })

  it('offers a way on where nothing was found', async () => {
    items = []
    renderApp('/admin?aba=historico&busca=XYZ')
    await screen.findByText('Nada encontrado')
    await userEvent.click(screen.getAllByRole('button', { name: 'Limpar filtros' })[0] as HTMLElement)
    expect(await screen.findByText('O que acontecer no Prosa aparece aqui.')).toBeTruthy()
  })
})
