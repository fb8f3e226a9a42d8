/** The mutation that erases the account: its session may end before its answer is here. */
export const erasingAccount = ['auth', 'erase-account'] as const

/** Goes along to the landing page when the person's account has just been erased. */
export const accountErased = { accountErased: true } as const

/** Whether this state of the browser's history records it. */
export const isAccountErased = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'accountErased' in state && state.accountErased === true
