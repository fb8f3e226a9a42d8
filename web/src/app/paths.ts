/** The addresses of Prosa's screens (specification, 2). */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  liveChat: '/live-chat',
  settings: '/settings',
  profile: '/profile',
} as const

/**
 * Development only: the simulated phones. Whatever names this address stands behind
 * `import.meta.env.DEV || import.meta.env.MODE === 'simulator'`, written out in the same file: only then does the bundler
 * see that a production build never gets there, and drops it.
 */
export const simulatorPath = '/simulador'
