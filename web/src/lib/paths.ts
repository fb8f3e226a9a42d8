/** The addresses of Prosa's screens (specification, 2). */
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
  automationBuilder: '/automation-builder',
} as const

/** Whether an address belongs to a screen of the app: every other one is the landing page for visitors. */
export const isAppPath = (path: string): boolean =>
  Object.values(paths).some((known) => known !== paths.home && (path === known || path.startsWith(`${known}/`)))

/** The sections of the settings, in their order; the last one is what `/settings` itself shows. */
export const settingsSections = [
  'respostas-rapidas',
  'etiquetas',
  'horarios',
  'fluxo-padrao',
  'empresa',
  'conexoes',
] as const
export type SettingsSection = (typeof settingsSections)[number]

/** The address of one section of the settings. */
export const settingsSection = (section: SettingsSection): string =>
  section === 'conexoes' ? paths.settings : `${paths.settings}?secao=${section}`

/** The tabs of Faturamento, in their order; the first one is what `/billing` itself shows. */
export const billingTabs = ['plano', 'planos', 'faturas'] as const
export type BillingTab = (typeof billingTabs)[number]

/** The address of one tab of Faturamento. */
export const billingTab = (tab: BillingTab): string => (tab === 'plano' ? paths.billing : `${paths.billing}?aba=${tab}`)

/** The tabs of the administrators' panel, in their order; the first one is what `/admin` itself shows. */
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

/** The address of one tab of the administrators' panel, with what its list is filtered by. */
export const adminTab = (tab: AdminTab, filters: Record<string, string> = {}): string => {
  const query = new URLSearchParams({ ...(tab !== 'usuarios' && { aba: tab }), ...filters })
  return query.size === 0 ? paths.admin : `${paths.admin}?${query}`
}

/**
 * Development only: the simulated phones. Whatever names this address stands behind
 * `import.meta.env.DEV || import.meta.env.MODE === 'simulator'`, written out in the same file: only then does the bundler
 * see that a production build never gets there, and drops it.
 */
export const simulatorPath = '/simulador'
