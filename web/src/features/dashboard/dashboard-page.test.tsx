import type { Connection } from '@prosa/contracts/http/connections'
import type { AutomationProject, Dashboard } from '@prosa/contracts/http/dashboard'
import type { FlowSummary } from '@prosa/contracts/http/flow-runs'
import { localDay } from '@prosa/contracts/values/time/local-time'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { aConnection, anUser, prosaServer, refuse, withProsaServer } from '../../../test/prosa-server.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { currentUserQuery } from '../../lib/account/current-user.ts'
import { personalKey } from '../../lib/browser/personal-storage.ts'
import { trialDaysLeft, trialSentence } from './trial-banner.tsx'
import { change, duration } from './words.ts'

// Imported first: compiling must not count towards test timeouts.
import '../../app/app-shell.tsx'
import './dashboard-page.tsx'
import './point-chart.tsx'

withProsaServer()

const nothing = { received: 0, sent: 0, resolved: 0, contacts: 0, accepted: 0, medianWaitSeconds: null }
const shown: Dashboard = {
  timeZone: 'America/Sao_Paulo',
  from: '2026-11-16',
  to: '2026-11-17',
  days: [
    { ...nothing, day: '2026-11-16', received: 30, sent: 20, resolved: 4, accepted: 3, medianWaitSeconds: 90 },
    { ...nothing, day: '2026-11-17', received: 12, sent: 5 },
  ],
  hours: null,
  total: { received: 42, sent: 25, resolved: 4, contacts: 3, accepted: 3, medianWaitSeconds: 90 },
  before: { received: 10, sent: 20, resolved: 4, contacts: 0, accepted: 0, medianWaitSeconds: null },
  now: { waiting: 2, bot: 0, attending: 1, resolved: 1234, contacts: 1237, resolutionPercent: 100 },
}
/** At 1:30. */
const todayHere = localDay(shown.timeZone, new Date().toISOString())
const today: Dashboard = {
  ...shown,
  from: todayHere,
  to: todayHere,
  hours: [
    { ...nothing, hour: 0 },
    { ...nothing, hour: 1, received: 12, sent: 5 },
  ],
  total: { ...nothing, received: 12, sent: 5, contacts: 2 },
  before: { ...nothing, sent: 20 },
}
const project: AutomationProject = {
  id: 'flow',
  name: 'Atendimento inicial',
  isActive: false,
  status: 'paused',
  nodeCount: 12,
  createdAt: '2026-11-16T12:00:00.000Z',
  updatedAt: '2026-11-16T12:00:00.000Z',
}
type Summary = FlowSummary & { flowId: string }

let asked: string[]
let projects: AutomationProject[]
let statistics: Summary[]
beforeEach(() => {
  asked = []
  projects = []
  statistics = []
  prosaServer.use(
    http.get('/api/dashboard', ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      asked.push(search)
      if (searchParams.get('days') === '1') return HttpResponse.json(today)
      const [from, to] = [searchParams.get('from') ?? shown.from, searchParams.get('to') ?? shown.to]
      if (to < from) return refuse('invalid_request', [{ field: 'to', message: 'A data final vem antes da inicial.' }])
      const total = { ...shown.total, sent: searchParams.has('from') ? 77 : shown.total.sent }
      return HttpResponse.json({ ...shown, from, to, total })
    }),
    http.get('/api/automation-projects', () => HttpResponse.json(projects)),
    http.get('/api/flow-statistics', () => HttpResponse.json(statistics)),
  )
})

const now = Date.parse('2026-11-21T12:00:00.000Z')

describe('the free period', () => {
  it.each([
    ['2026-11-30T12:00:00.000Z', 9],
    ['2026-11-30T12:00:00.001Z', 10],
    ['2026-11-21T12:00:00.001Z', 1],
    ['2026-11-21T12:00:00.000Z', 0],
    ['2026-11-01T12:00:00.000Z', 0],
  ])('until %s has %i days left', (subscriptionEnd, days) =>
    expect(trialDaysLeft({ ...anUser, subscriptionEnd }, now)).toBe(days),
  )

  it('is over when the subscription is not active', () =>
    expect(trialDaysLeft({ ...anUser, subscriptionStatus: 'cancelled' }, now)).toBe(0))

  it('is over once something was paid', () =>
    expect(trialDaysLeft({ ...anUser, isTrial: false, subscriptionEnd: '2026-11-30T12:00:00.000Z' }, now)).toBe(0))

  it('is shown in days, the last one by name', () => {
    expect(trialSentence(1)).toBe('Último dia do seu período gratuito')
    expect(trialSentence(9)).toBe('Você tem 9 dias restantes do período gratuito')
  })
})

const signIn = (subscriptionEnd: string | null) =>
  prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, subscriptionEnd })))

describe('the signed-in start', () => {
  it('shows no period to a business that wants no statistics, and how things stand all the same', async () => {
    const company = { name: null, notifications: false, analytics: false }
    prosaServer.use(http.get('/api/auth/user', () => HttpResponse.json({ ...anUser, company })))
    await renderApp('/')
    await screen.findByText('Taxa de resolução')
    expect(screen.queryByText('Estatísticas por período')).toBeNull()
    expect(screen.queryByText('Filtrar')).toBeNull()
  })

  it('shows the banner and the true state of the line', async () => {
    signIn(new Date(Date.now() + 36 * 3_600_000).toISOString())
    prosaServer.use(
      http.get('/api/whatsapp/connections', () =>
        HttpResponse.json([
          aConnection({ status: 'connected', phoneNumber: '5511988776655', serverTime: new Date().toISOString() }),
        ]),
      ),
    )
    renderApp('/')
    expect(await screen.findByText('Período Gratuito Ativo', {})).toBeTruthy()
    expect(screen.getByText('Você tem 2 dias restantes do período gratuito')).toBeTruthy()
    expect(await screen.findByText('Loja do centro está conectado: (11) 98877-6655')).toBeTruthy()
  })

  describe('names each number that is down', () => {
    const serverTime = new Date().toISOString()
    const up = aConnection({ id: 'up', name: 'Loja', status: 'connected', phoneNumber: '5511900000001', serverTime })
    const down = (name: string, of: Partial<Connection> = {}) =>
      aConnection({
        ...{ id: name, name, status: 'disconnected', line: 'unlinked', phoneNumber: '5511900000002' },
        ...{ statusReason: 'O celular desconectou este aparelho.', serverTime, ...of },
      })
    const opened = async (...connections: Connection[]) => {
      signIn(null)
      prosaServer.use(http.get('/api/whatsapp/connections', () => HttpResponse.json(connections)))
      await renderApp('/')
      await screen.findByText('Taxa de resolução')
      return screen.queryAllByText(/está desconectado\./)[0]?.closest('[role=status]')
    }

    it('while another one is connected, with the way to the connections', async () => {
      const notice = await opened(up, down('Vendas'), down('Oficina', { line: 'recovering' }))
      expect(notice?.textContent).toContain(
        'Vendas · (11) 90000-0002 está desconectado. O celular desconectou este aparelho.',
      )
      expect(notice?.textContent).toContain('Oficina · (11) 90000-0002 está desconectado. O Prosa está reconectando.')
      expect(
        within(notice as HTMLElement)
          .getByRole('link')
          .getAttribute('href'),
      ).toContain('/settings')
      expect(screen.getByText('1 de 3 números conectados')).toBeTruthy()
    })

    it('also while none is, beside the first steps', async () => {
      const notice = await opened(down('Loja'), down('Vendas'))
      expect(notice?.textContent).toMatch(/Loja.*Vendas/)
      expect(screen.getByRole('list', { name: 'Primeiros passos' })).toBeTruthy()
    })

    it.each<[string, Connection[]]>([
      ['all are up', [up, { ...up, id: 'other' }]],
      ['there is only one', [down('Loja')]],
      ['the other was never linked', [up, down('Nova', { line: 'unused' })]],
    ])('and nothing where %s', async (_, connections) => expect(await opened(...connections)).toBeFalsy())
  })

  it('goes to the settings on G then S, and asks to sign in there when the server forgot the session', async () => {
    signIn(null)
    renderApp('/')
    await screen.findByRole('heading', { name: 'Olá, Marina' })
    expect(screen.queryByText('Período Gratuito Ativo')).toBeNull()
    prosaServer.use(http.get('/api/whatsapp/connections', () => refuse('not_signed_in')))
    await userEvent.keyboard('gs')
    expect(await screen.findByRole('heading', { name: 'Configurações' })).toBeTruthy()
    expect(await screen.findByText(/^Sua sessão terminou\./)).toBeTruthy()
  })
})

describe('the dashboard', () => {
  const card = async (name: RegExp) => within(await screen.findByRole('link', { name }))
  const dates = async () => {
    await screen.findByDisplayValue('2026-11-16')
    return [screen.getByLabelText('Data inicial'), screen.getByLabelText('Data final')] as const
  }
  /** A date field of a browser reports a whole day at once. */
  const choose = async (field: HTMLElement, day: string) => {
    await userEvent.clear(field)
    await userEvent.type(field, day)
  }

  it('shows four numbers, each with its change and a link to what it counts', async () => {
    signIn('2026-11-30T12:00:00.000Z')
    projects = [project, { ...project, id: 'other', name: 'Fora do horário', isActive: true }]
    renderApp('/')
    expect(await (await card(/^Total de Contatos/)).findByText('1.237')).toBeTruthy()
    expect(
      await (await card(/^Total de Contatos/)).findByText(/^3 novos no período\. Nenhum no período anterior$/),
    ).toBeTruthy()
    expect(await (await card(/^Mensagens Enviadas/)).findByText('25% a mais que no período anterior')).toBeTruthy()
    expect((await card(/^Mensagens Enviadas/)).getByText('Contam também as do celular.')).toBeTruthy()
    expect(await (await card(/^Atendimentos Resolvidos/)).findByText('Igual ao período anterior')).toBeTruthy()
    expect(await (await card(/^Projetos Ativos/)).findByText('1 criado no período')).toBeTruthy()
    for (const name of [/^Total de Contatos/, /^Mensagens Enviadas/])
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/live-chat')
    expect(screen.getByRole('link', { name: /^Atendimentos Resolvidos/ }).getAttribute('href')).toBe(
      '/live-chat?fila=resolvidos',
    )
    expect(screen.getByRole('link', { name: /^Projetos Ativos/ }).getAttribute('href')).toBe('#suas-automacoes')
    expect(await (await card(/^Projetos Ativos/)).findByText('1')).toBeTruthy()
  })

  it('lists the automations that run first, with what is counted of each and the way to its editor', async () => {
    signIn(null)
    projects = [
      project,
      { ...project, id: 'rascunho', name: 'Pesquisa', nodeCount: 1 },
      { ...project, id: 'other', name: 'Fora do horário', isActive: true },
    ]
    const ran = { executions: 9, running: 1, leads: 8, converted: 3, lastRunAt: '2026-11-20T12:00:00.000Z' }
    statistics = [{ flowId: 'other', ...ran }]
    renderApp('/')
    const automations = within(await screen.findByRole('region', { name: 'Suas Automações' }))
    await automations.findByText('8 leads, 38% de conversão')
    const items = automations.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(items[0]).toMatch(
      /^Fora do horário12 nós · última atividade 20 de nov\., \d\d:\d\d8 leads, 38% de conversãoAtivo$/,
    )
    expect(items[1]).toMatch(/^Atendimento inicial12 nós · última atividade 16 de nov\., \d\d:\d\d0 leadsPausado$/)
    expect(items[2]).toMatch(/^Pesquisa1 nó · .*0 leadsPausado$/)
    expect(automations.getByText(/^Leads: os contatos com quem/)).toBeTruthy()
    expect(automations.getByRole('link', { name: 'Configurar Fora do horário' }).getAttribute('href')).toBe(
      '/flow-editor/other',
    )
    for (const name of ['Nova Automação', 'Criar Automação'])
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/automation-builder')
  })

  it('shows how it stands now, until when there is access, and what to do next', async () => {
    signIn('2026-11-30T12:00:00.000Z')
    renderApp('/')
    const general = within(await screen.findByRole('region', { name: 'Estatísticas gerais' }))
    for (const line of ['Aguardando2', 'Em atendimento1', 'Resolvidos1.234', 'Taxa de resolução100%'])
      expect(
        await general.findByText((_, element) => element?.tagName === 'LI' && element.textContent === line),
      ).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'Data de vencimento' })).getByText('30/11/2026')).toBeTruthy()
    const actions = within(screen.getByRole('region', { name: 'Ações Rápidas' }))
    expect(actions.getByRole('link', { name: 'Criar Automação' })).toBeTruthy()
    expect(actions.getByRole('link', { name: 'Chat ao Vivo' }).getAttribute('href')).toBe('/live-chat')
    expect(await screen.findByText('Nenhuma automação ainda')).toBeTruthy()
  })

  it('has every number of a chart in words and in a table, too', async () => {
    signIn(null)
    renderApp('/')
    expect(await screen.findByText('42 recebidas e 25 enviadas no período.')).toBeTruthy()
    expect(screen.getByText('Metade de 3 conversas aceitas esperou até 2 min.')).toBeTruthy()
    const rows = (label: string) =>
      [...screen.getByLabelText(label, { selector: 'table' }).querySelectorAll('tbody tr')].map((row) =>
        [...row.children].map(({ textContent }) => textContent),
      )
    expect(rows('Mensagens por dia')).toEqual([
      ['16/11/2026', '30', '20'],
      ['17/11/2026', '12', '5'],
    ])
    expect(rows('Tempo de espera até aceitar')).toEqual([
      ['16/11/2026', '2 min'],
      ['17/11/2026', '–'],
    ])
    expect(rows('Atendimentos resolvidos por dia').map(([, resolved]) => resolved)).toEqual(['4', '0'])
  })

  it('filters by two dates, which stand in the address', async () => {
    signIn(null)
    renderApp('/')
    const [from, to] = await dates()
    expect(asked[0]).toBe('')
    await choose(from, '2026-10-01')
    await choose(to, '2026-10-31')
    await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }))
    expect(await (await card(/^Mensagens Enviadas/)).findByText('77')).toBeTruthy()
    expect(asked.at(-1)).toBe('?from=2026-10-01&to=2026-10-31')
    await userEvent.click(screen.getByRole('button', { name: 'Voltar do navegador' }))
    expect(await (await card(/^Mensagens Enviadas/)).findByText('25')).toBeTruthy()
    expect(screen.getByDisplayValue('2026-11-16')).toBeTruthy()
  })

  it('shows today by its hours, compared with nothing that was longer, in an address that moves on with the clock', async () => {
    signIn(null)
    renderApp('/')
    await dates()
    const choice = within(screen.getByRole('group', { name: 'Últimos dias' }))
    expect(choice.getByRole('button', { name: '7 dias' }).getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(choice.getByRole('button', { name: 'Hoje' }))
    expect(await (await card(/^Mensagens Enviadas/)).findByText('Ontem, o dia todo: 20')).toBeTruthy()
    expect(asked.at(-1)).toBe('?days=1')
    expect(screen.getByText('12 recebidas e 5 enviadas hoje.')).toBeTruthy()
    expect(screen.getByText('Nenhuma conversa foi aceita hoje.')).toBeTruthy()
    expect(screen.getAllByDisplayValue(todayHere)).toHaveLength(2)
    const table = screen.getByLabelText('Mensagens por hora', { selector: 'table' })
    expect([...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)).toEqual([
      'das 0h às 1h00',
      'das 1h às 2h125',
    ])
    await userEvent.click(choice.getByRole('button', { name: '30 dias' }))
    await waitFor(() => expect(asked.at(-1)).toBe('?days=30'))
    await userEvent.click(screen.getByRole('button', { name: 'Voltar do navegador' }))
    await screen.findByText('Ontem, o dia todo: 20')
    expect(choice.getByRole('button', { name: 'Hoje' }).getAttribute('aria-pressed')).toBe('true')
  })

  it.each([
    ['/?periodo=30-dias', '?days=30', '30 dias'],
    ['/?periodo=hoje', '?days=1', 'Hoje'],
    ['/?periodo=90-dias', '', '7 dias'],
    ['/?de=2026-11-16&ate=2026-11-17', '?from=2026-11-16&to=2026-11-17', undefined],
  ])('opens as the address says: %s', async (path, query, pressed) => {
    signIn(null)
    renderApp(path)
    const choice = within(await screen.findByRole('group', { name: 'Últimos dias' }))
    await waitFor(() => expect(asked).toEqual([query]))
    const chosen = choice.getAllByRole('button').filter((button) => button.getAttribute('aria-pressed') === 'true')
    expect(chosen.map(({ textContent }) => textContent)).toEqual(pressed ? [pressed] : [])
  })

  it('leads from each day to its hours', async () => {
    signIn(null)
    renderApp('/')
    await dates()
    await userEvent.click(screen.getAllByText('Ver em tabela')[0] as HTMLElement)
    await userEvent.click(screen.getAllByRole('link', { name: '16/11/2026' })[0] as HTMLElement)
    await waitFor(() => expect(asked.at(-1)).toBe('?from=2026-11-16&to=2026-11-16'))
  })

  it('shows at the field that the dates are turned round, and keeps what it showed', async () => {
    signIn(null)
    renderApp('/')
    const [, to] = await dates()
    await choose(to, '2026-11-01')
    await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }))
    expect(await screen.findByText('A data final vem antes da inicial.')).toBeTruthy()
    expect(to.getAttribute('aria-invalid')).toBe('true')
    expect(await (await card(/^Mensagens Enviadas/)).findByText('25')).toBeTruthy()
  })

  it('opens with what is wrong with the dates of its address at the field, and the rest of the screen', async () => {
    signIn(null)
    renderApp('/?de=2026-11-20&ate=2026-11-01')
    expect(await screen.findByText('A data final vem antes da inicial.')).toBeTruthy()
    expect(screen.getByText('Escolha outras datas para ver os números.')).toBeTruthy()
    expect(screen.getByText('Suas Automações')).toBeTruthy()
    expect(screen.queryByText('Mensagens por dia')).toBeNull()
  })

  it('shows that the numbers could not be read, with a way on', async () => {
    signIn(null)
    prosaServer.use(http.get('/api/dashboard', () => new HttpResponse(null, { status: 500 }), { once: true }))
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
    expect(await (await card(/^Mensagens Enviadas/)).findByText('25')).toBeTruthy()
  })

  it('leads to the tab of live chat that a number counts', async () => {
    signIn(null)
    prosaServer.use(http.get('/api/whatsapp/contacts', () => HttpResponse.json([])))
    renderApp('/')
    await userEvent.click(await screen.findByRole('link', { name: /^Atendimentos Resolvidos/ }))
    expect((await screen.findByRole('tab', { name: /^Resolvidos/ })).getAttribute('aria-selected')).toBe('true')
  })

  it('puts times and changes in words', () => {
    expect([0, 59, 60, 3599, 3600, 4800, 172_800].map(duration)).toEqual([
      ...['0 s', '59 s', '1 min', '1 h', '1 h', '1 h 20 min', '2 dias'],
    ])
    expect([change(0, 0), change(5, 0), change(1, 3), change(1001, 1000)]).toEqual([
      'Igual ao período anterior',
      'Nenhum no período anterior',
      '67% a menos que no período anterior',
      '1% a mais que no período anterior',
    ])
  })
})

describe('leaving', () => {
  it('shows a notice and the login screen a second later', async () => {
    signIn(null)
    prosaServer.use(http.post('/api/auth/logout', () => HttpResponse.json({})))
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    expect(await screen.findByText('Você foi desconectado com sucesso.')).toBeTruthy()
    expect(await screen.findByRole('tab', { name: 'Entrar' })).toBeTruthy()
  })

  it('does not show that the session ended, when the server ends it before the answer comes', async () => {
    signIn(null)
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    prosaServer.use(
      http.post('/api/auth/logout', async () => {
        await held
        return HttpResponse.json({})
      }),
    )
    const { queries } = renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    prosaServer.use(http.get('/api/auth/user', () => refuse('not_signed_in')))
    await queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
    await screen.findByText(/^Sua sessão terminou/)
    letGo?.()
    await screen.findByText('Logout realizado')
    await waitFor(() => expect(screen.queryByText(/^Sua sessão terminou/)).toBeNull())
    expect(await screen.findByRole('tab', { name: 'Entrar' }, { timeout: 3_000 })).toBeTruthy()
    expect(screen.queryByText(/^Sua sessão terminou/)).toBeNull()
  })

  it('takes what was written with it at once, even if the browser is closed before the second is over', async () => {
    const draft = personalKey('drafts')
    localStorage.setItem(draft, '{"ana":"meu rascunho"}')
    signIn(null)
    prosaServer.use(http.post('/api/auth/logout', () => HttpResponse.json({})))
    renderApp('/')
    await userEvent.click(await screen.findByRole('button', { name: /Menu de Marina/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sair' }))
    await screen.findByText('Logout realizado')
    expect(screen.queryByRole('tab', { name: 'Entrar' })).toBeNull()
    expect(localStorage.getItem(draft)).toBeNull()
  })
})
