const prefix = 'prosa:'

/** Values under such keys are removed when another user signs in. */
export const personalKey = (name: string): string => `${prefix}${name}`

const account = personalKey('owner')
let timesForgotten = 0
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** Also for changes in another tab. */
export const subscribeToAccount = (onChange: () => void): (() => void) => {
  listeners.add(onChange)
  window.addEventListener('storage', onChange)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** Null after a sign-out and before any sign-in. */
export const accountOfPersonalStorage = (): string | null => localStorage.getItem(account)

/** Removes another user's values. */
export const claimPersonalStorage = (userId: string): void => {
  const before = accountOfPersonalStorage()
  if (before !== null && before !== userId) forgetPersonalStorage()
  localStorage.setItem(account, userId)
  notify()
}

/** Changes each time this page clears the storage. */
export const personalStorageEpoch = (): number => timesForgotten

/** Drafts and unsent messages must not reach another user. */
export const forgetPersonalStorage = (): void => {
  timesForgotten += 1
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
    for (const key of keys) if (key?.startsWith(prefix)) storage.removeItem(key)
  }
  notify()
}
