import type { HistoryThread } from '@prosa/contracts/http/history'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'
import '../../../components/history/own/own-history-drawer.tsx'

withProsaServer()

const at = '2027-01-12T15:00:00.000Z'
const flow = { kind: 'flow', id: 'f1', name: 'Boas-vindas' } as const
const thread: HistoryThread = {
  id: 'a',
  at,
  cause: null,
  hidden: 0,
  entries: [
    {
      id: 'a',
      type: 'FlowTurnedOn',
      at,
      depth: 0,
      icon: 'flow',
      text: 'Ana Souza ativou o fluxo',
      actor: { kind: 'user', id: null, name: 'você' },
      reason: null,
      rule: null,
      differences: [],
      records: [flow],
    },
    {
      id: 'b',
      type: 'PersonalDataRead',
      at,
      depth: 1,
      icon: 'reading',
      text: 'Rui Souza (equipe do Prosa) leu o histórico da conta de Ana Souza',
      actor: { kind: 'admin', id: null, name: 'Rui Souza (equipe do Prosa)' },
      reason: 'Atender a um pedido de ajuda: Pedido 77',
      rule: null,
      differences: [],
      records: [],
    },
  ],
}

let asked: URLSearchParams[]
let items: HistoryThread[]
beforeEach(() => {
  asked = []
  items = [thread]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/history', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ items, nextCursor: null })
    }),
  )
})

describe('Configurações → Histórico', () => {
  it('says who did what, also of the team of Prosa, with the reason, and leads from a record to all about it', async () => {
    renderApp('/settings?secao=historico')
    const list = await screen.findByRole('list', { name: 'Histórico' })
    expect(within(list).getByText('Ana Souza ativou o fluxo')).toBeTruthy()
    expect(within(list).getByText('por você')).toBeTruthy()
    expect(within(list).getByText('Motivo: Atender a um pedido de ajuda: Pedido 77')).toBeTruthy()
    await userEvent.click(within(list).getByRole('link', { name: 'Fluxo Boas-vindas' }))
    expect(await screen.findByRole('heading', { name: 'Fluxo Boas-vindas' })).toBeTruthy()
    expect(asked.at(-1)?.get('record')).toBe('flow:f1')
  })

  it('leads from an entry to the record as it was: its own screen, or its values beside its history', async () => {
    const [entry] = thread.entries as [HistoryThread['entries'][number]]
    items = [
      {
        ...thread,
        entries: [
          { ...entry, em: 'token-1', past: { kind: 'connection', id: 'x1' } },
          { ...entry, id: 'f', em: 'token-5', past: { kind: 'flow', id: 'f1' } },
          { ...entry, id: 'c', em: 'token-2', past: { kind: 'contact', id: 'c1' } },
          { ...entry, id: 'l', em: 'token-3', past: { kind: 'label', id: 'l1' } },
          { ...entry, id: 'k', em: 'token-4' },
          { ...entry, id: 'd', text: 'Sem momento' },
        ],
      },
    ]
    prosaServer.use(
      http.get('/api/records/connection/x1', ({ request }) => {
        expect(new URL(request.url).searchParams.get('em')).toBe('token-1')
        const marks = [{ em: 'token-1', at: '2026-11-12T14:31:00.000Z' }]
        return HttpResponse.json({ values: [{ label: 'Ligado', value: 'sim' }], marks, current: 0, latest: 'token-1' })
      }),
    )
    renderApp('/settings?secao=historico')
    const links = await screen.findAllByRole('link', { name: 'Ver como era' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/settings?secao=historico&como=connection%3Ax1&em=token-1&registro=connection%3Ax1',
      '/flow-editor/f1?em=token-5',
      '/live-chat?em=token-2&contato=c1',
      '/settings?secao=etiquetas&em=token-3',
    ])
    await userEvent.click(links[0] as HTMLElement)
    const shown = within(await screen.findByRole('region', { name: 'Como era' }))
    expect(await shown.findByText('sim')).toBeTruthy()
    expect(shown.getByText(/^Você está vendo 12\/11\/2026/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Ver tudo' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Como era' })).toBeNull())
  })

  it('asks by what the address says, and forgets what is no filter', async () => {
    renderApp('/settings?secao=historico&assunto=reading&autor=admin&de=2027-01-01&ate=2027-01-31')
    await screen.findByText('Ana Souza ativou o fluxo')
    expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
      kind: 'reading',
      actor: 'admin',
      from: '2027-01-01',
      to: '2027-01-31',
    })
    await userEvent.click(screen.getByRole('button', { name: 'Limpar filtros' }))
    await screen.findByText('Ana Souza ativou o fluxo')
    expect([...(asked.at(-1) ?? [])]).toEqual([])
  })

  it('says so where nothing is found, and where it cannot be read', async () => {
    items = []
    const { unmount } = renderApp('/settings?secao=historico&assunto=label')
    expect(await screen.findByText('Nada encontrado')).toBeTruthy()
    unmount()
    prosaServer.use(http.get('/api/history', () => refuse('unexpected')))
    renderApp('/settings?secao=historico')
    expect(await screen.findByText('O histórico não pôde ser carregado')).toBeTruthy()
  })
})
