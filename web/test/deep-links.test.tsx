import type { User } from '@prosa/contracts/http/accounts/auth'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { queueAddress } from '../src/lib/account/queue-address.tsx'
import {
  adminTab,
  adminTabs,
  billingTab,
  billingTabs,
  paths,
  settingsSection,
  settingsSections,
} from '../src/lib/paths.ts'
import { anUser, prosaServer, refuse, withProsaServer } from './prosa-server.ts'
import { addressNow, goTo, renderApp } from './render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../src/features/admin/admin-page.tsx'
import '../src/features/billing/billing-page.tsx'
import '../src/features/conversation-flows/conversation-flows-page.tsx'
import '../src/features/dashboard/dashboard-page.tsx'
import '../src/features/data/data-page.tsx'
import '../src/features/help/help-page.tsx'
import '../src/features/live-chat/list/queue-bar.tsx'
import '../src/features/live-chat/live-chat-page.tsx'
import '../src/features/sessions/sessions-page.tsx'
import '../src/features/settings/settings-page.tsx'
import '../src/app/app-shell.tsx'

withProsaServer()

let user: User | null
beforeEach(() => {
  user = null
  prosaServer.use(
    http.get('/api/auth/user', () => (user ? HttpResponse.json(user) : refuse('not_signed_in'))),
    http.post('/api/auth/login', () => {
      user = { ...anUser, roles: ['admin', 'analyst'] }
      return HttpResponse.json({ id: anUser.id })
    }),
    http.get('/api/flow-folders', () => HttpResponse.json([])),
    http.get('/api/flows', () => HttpResponse.json([])),
    // What a tab shows is tested beside it.
    http.all('/api/*', () => refuse('unexpected')),
  )
})

const signIn = async () => {
  await userEvent.type(await screen.findByLabelText('E-mail'), anUser.email)
  await userEvent.type(screen.getByLabelText('Senha'), 'segredo1{Enter}')
  await waitFor(() => expect(screen.queryByLabelText('Senha')).toBeNull())
}

type Mark = readonly [role: 'tab' | 'link' | 'button' | 'heading', name: RegExp]

const sections = ['Respostas Rápidas', 'Etiquetas', 'Campos de contatos', 'Horários', 'Fluxo padrão', 'Empresa']
const settings = [...sections, 'Integrações', 'Histórico', 'Conexões']
const billing = ['Plano Atual', 'Planos', 'Faturas']
const content = ['Usuários', 'Contatos', 'Mensagens', 'Projetos', 'Transações', 'Planos', 'Webhook', 'Histórico']
const admin = [...content, 'Manutenção', 'Suporte']

const exactly = (name: string | undefined) => new RegExp(`^${name}$`)

type Opened = readonly [address: string, mark: Mark]

/** Every tab of every screen. */
const links: Record<string, Opened[]> = {
  settings: settingsSections.map((section, at) => [settingsSection(section), ['link', exactly(settings[at])]]),
  billing: billingTabs.map((tab, at) => [billingTab(tab), ['tab', exactly(billing[at])]]),
  admin: adminTabs.map((tab, at) => [adminTab(tab), ['tab', exactly(admin[at])]]),
  flows: [
    [paths.conversationFlows, ['tab', /^Pastas/]],
    [`${paths.conversationFlows}?aba=fluxos`, ['tab', /^Fluxos/]],
    [`${paths.conversationFlows}?aba=quem-responde`, ['tab', /^Quem responde\?$/]],
  ],
  data: [
    [paths.data, ['tab', /^Consulta$/]],
    [`${paths.data}?aba=catalogo`, ['tab', /^Catálogo$/]],
    [`${paths.data}?aba=chaves`, ['tab', /^Chaves de API$/]],
  ],
  help: [
    [`${paths.help}?tema=guia`, ['heading', /^Guia de início rápido$/]],
    [`${paths.help}?tema=tutoriais`, ['heading', /^Tutoriais passo a passo$/]],
    [`${paths.help}?tema=casos`, ['heading', /^Casos de uso$/]],
    [`${paths.help}?pergunta=conectar`, ['button', /^Como conecto o WhatsApp/]],
  ],
  sessions: [[paths.whatsappSessions, ['link', /^WhatsApp Sessions$/]]],
  dashboard: [[`${paths.home}?periodo=hoje`, ['button', /^Hoje$/]]],
}

/** The queue leaves the address once its list is open. */
const queues: Opened[] = [
  [queueAddress('waiting'), ['tab', /^Aguardando/]],
  [queueAddress('attending'), ['tab', /^Atendendo/]],
  [queueAddress('resolved'), ['tab', /^Resolvidos/]],
  [queueAddress('bot'), ['button', /^Com o robô/]],
]

const isMarked = (element: HTMLElement) =>
  ['aria-selected', 'aria-current', 'aria-pressed', 'aria-expanded'].some((name) =>
    /^(true|page)$/.test(element.getAttribute(name) ?? ''),
  )

const opens = async ([role, name]: Mark) => {
  await screen.findAllByRole(role, { name })
  if (role !== 'heading') await waitFor(() => expect(screen.getAllByRole(role, { name }).some(isMarked)).toBe(true))
}

describe('an address that a colleague sent', () => {
  it.each(Object.entries(links))('opens what it names, each tab of %s', async (_, opened) => {
    user = { ...anUser, roles: ['admin', 'analyst'] }
    renderApp(opened[0]?.[0] ?? '')
    for (const [address, mark] of opened) {
      goTo(address)
      await opens(mark)
      expect(addressNow()).toBe(address)
    }
  })

  it('opens each list of live chat, also beside a conversation', async () => {
    user = anUser
    renderApp(`${paths.liveChat}?contato=0a5d0b1e`)
    for (const [address, mark] of queues) {
      goTo(`${address}&contato=0a5d0b1e`)
      await opens(mark)
      await waitFor(() => expect(addressNow()).toBe('/live-chat?contato=0a5d0b1e'))
    }
  })

  it.each<Opened>([
    [settingsSection('etiquetas'), ['link', /^Etiquetas$/]],
    [billingTab('planos'), ['tab', /^Planos$/]],
    [adminTab('webhook', { busca: 'pix' }), ['tab', /^Webhook$/]],
    [`${paths.help}?tema=casos`, ['heading', /^Casos de uso$/]],
  ])('asks a visitor to sign in there, and then opens: %s', async (address, mark) => {
    renderApp(address)
    await signIn()
    await opens(mark)
    expect(addressNow()).toBe(address)
  })

  it('is kept by a session that ended there, whoever signs in', async () => {
    user = anUser
    const address = settingsSection('etiquetas')
    const { queries } = renderApp(address)
    await opens(['link', /^Etiquetas$/])
    user = null
    await queries.invalidateQueries()
    await screen.findByText(/^Sua sessão terminou\./)
    expect(addressNow()).toBe(address)
    await signIn()
    await opens(['link', /^Etiquetas$/])
    expect(addressNow()).toBe(address)
  })

  it('of the panel says to who may not see it why not, and has a way on', async () => {
    user = anUser
    renderApp(adminTab('planos'))
    await screen.findByText('Acesso Negado')
    await userEvent.click(screen.getByRole('link', { name: 'Voltar' }))
    await waitFor(() => expect(addressNow()).toBe('/'))
  })

  it('of another role leads an analyst to what they may see', async () => {
    user = { ...anUser, roles: ['analyst'] }
    renderApp(billingTab('planos'))
    await opens(['tab', /^Consulta$/])
    expect(addressNow()).toBe('/data')
  })
})

describe('after a sign-in on its own page', () => {
  it.each(['/login', '/register'])(
    'the address is that of the dashboard, whose place in the menu is marked (%s)',
    async (path) => {
      renderApp(path)
      if (path === '/register') await userEvent.click(await screen.findByRole('link', { name: 'Entrar' }))
      await signIn()
      await waitFor(() => expect(addressNow()).toBe('/'))
      await opens(['link', /^Dashboard$/])
    },
  )

  it('the browser leads back to where somebody came from, not to a sign-in', async () => {
    renderApp('/')
    await userEvent.click((await screen.findAllByRole('link', { name: 'Entrar' }))[0] as HTMLElement)
    await signIn()
    await opens(['link', /^Dashboard$/])
    await userEvent.click(screen.getByRole('button', { name: 'Voltar do navegador' }))
    await opens(['link', /^Dashboard$/])
    expect(addressNow()).toBe('/')
  })
})
