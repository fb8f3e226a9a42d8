import type { HistoryThread } from '@prosa/contracts/http/history'
import { screen, within } from '@testing-library/react'
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

  it('shows what a flow was right after an entry, and leads to a conversation as it was', async () => {
    const [entry] = thread.entries as [HistoryThread['entries'][number]]
    const carla = { kind: 'contact', id: 'c1', name: 'Carla' } as const
    items = [
      {
        ...thread,
        entries: [
          { ...entry, em: 'token-1' },
          { ...entry, id: 'c', em: 'token-2', text: 'Carla voltou a esperar', records: [carla] },
          { ...entry, id: 'd', text: 'Sem momento' },
        ],
      },
    ]
    prosaServer.use(
      http.get('/api/records/flow/f1', ({ request }) => {
        expect(new URL(request.url).searchParams.get('em')).toBe('token-1')
        return HttpResponse.json({ values: [{ label: 'Ligado', value: 'sim' }], marks: [], current: null })
      }),
    )
    renderApp('/settings?secao=historico')
    await userEvent.click(await screen.findByRole('button', { name: 'Ver como era' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Como era: Boas-vindas' }))
    expect(await shown.findByText('sim')).toBeTruthy()
    await userEvent.click(shown.getByRole('button', { name: 'Fechar' }))
    expect(screen.getByRole('link', { name: 'Ver como era' }).getAttribute('href')).toBe(
      '/live-chat?em=token-2&contato=c1',
    )
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
