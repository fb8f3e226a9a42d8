/** The addresses of Prosa's screens (specification, 2). */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  liveChat: '/live-chat',
  settings: '/settings',
  profile: '/profile',
  whatsappSessions: '/whatsapp-sessions',
} as const

/** The sections of the settings, in their order; the last one is what `/settings` itself shows. */
export const settingsSections = ['respostas-rapidas', 'etiquetas', 'horarios', 'fluxo-padrao', 'conexoes'] as const
export type SettingsSection = (typeof settingsSections)[number]

/** The address of one section of the settings. */
export const settingsSection = (section: SettingsSection): string =>
  section === 'conexoes' ? paths.settings : `${paths.settings}?secao=${section}`

/**
 * Development only: the simulated phones. Whatever names this address stands behind
 * `import.meta.env.DEV || import.meta.env.MODE === 'simulator'`, written out in the same file: only then does the bundler
 * see that a production build never gets there, and drops it.
 */
export const simulatorPath = '/simulador'
