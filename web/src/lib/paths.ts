/** Specification, 2. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  liveChat: '/live-chat',
  settings: '/settings',
  profile: '/profile',
  whatsappSessions: '/whatsapp-sessions',
  conversationFlows: '/conversation-flows',
  flowEditor: '/flow-editor',
  billing: '/billing',
  help: '/help',
  admin: '/admin',
  data: '/data',
  automationBuilder: '/automation-builder',
} as const

/** The server's own pages, to everybody: links to them load the page. */
export const termsPath = '/terms'
export const privacyPath = '/privacy'

/** Visitors see the landing page at any other path. */
export const isAppPath = (path: string): boolean =>
  Object.values(paths).some((known) => known !== paths.home && (path === known || path.startsWith(`${known}/`)))

export const momentParameter = 'em'
export const contactParameter = 'contato'

/** Live chat as it was; `em`: an instant or a position token. */
export const pastAddress = (em: string, contactId: string | null): string =>
  `${paths.liveChat}?${new URLSearchParams({
    [momentParameter]: em,
    ...(contactId !== null && { [contactParameter]: contactId }),
  })}`

/** `/settings` shows the last. */
export const settingsSections = [
  'respostas-rapidas',
  'etiquetas',
  'campos',
  'horarios',
  'fluxo-padrao',
  'empresa',
  'integracoes',
  'historico',
  'conexoes',
] as const
export type SettingsSection = (typeof settingsSections)[number]

export const settingsSection = (section: SettingsSection): string =>
  section === 'conexoes' ? paths.settings : `${paths.settings}?secao=${section}`

/** `/billing` shows the first. */
export const billingTabs = ['plano', 'planos', 'faturas'] as const
export type BillingTab = (typeof billingTabs)[number]

export const billingTab = (tab: BillingTab): string => (tab === 'plano' ? paths.billing : `${paths.billing}?aba=${tab}`)

/** `/admin` shows the first. */
export const adminTabs = [
  'usuarios',
  'contatos',
  'mensagens',
  'projetos',
  'transacoes',
  'planos',
  'webhook',
  'historico',
  'manutencao',
  'suporte',
] as const
export type AdminTab = (typeof adminTabs)[number]

export const adminTab = (tab: AdminTab, filters: Record<string, string> = {}): string => {
  const query = new URLSearchParams({ ...(tab !== 'usuarios' && { aba: tab }), ...filters })
  return query.size === 0 ? paths.admin : `${paths.admin}?${query}`
}

/**
 * Development only. Every use needs a literal `import.meta.env.DEV || import.meta.env.MODE === 'simulator'` in its file: else the bundler
 * keeps the page.
 */
export const simulatorPath = '/simulador'
