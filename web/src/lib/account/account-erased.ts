/** The session may end before this mutation's reply arrives. */
export const erasingAccount = ['auth', 'erase-account'] as const

export const accountErased = { accountErased: true } as const

export const isAccountErased = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'accountErased' in state && state.accountErased === true
