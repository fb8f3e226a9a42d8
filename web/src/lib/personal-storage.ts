const prefix = 'prosa:'

/** The key under which this browser keeps something of the user's own; it is forgotten when somebody else signs in. */
export const personalKey = (name: string): string => `${prefix}${name}`

const owner = personalKey('owner')
let timesForgotten = 0
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** Calls `onChange` whenever the storage may have got another owner, in this tab or in another one. */
export const subscribeToOwner = (onChange: () => void): (() => void) => {
  listeners.add(onChange)
  window.addEventListener('storage', onChange)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** Whose storage this is; null once they signed out, and where nobody signed in yet. */
export const ownerOfPersonalStorage = (): string | null => localStorage.getItem(owner)

/** From here on it is this user's. What somebody else left is removed. */
export const claimPersonalStorage = (userId: string): void => {
  const before = ownerOfPersonalStorage()
  if (before !== null && before !== userId) forgetPersonalStorage()
  localStorage.setItem(owner, userId)
  notify()
}

/** Anew each time that it was emptied in this page, for what is remembered along with it. */
export const personalStorageEpoch = (): number => timesForgotten

/** Removes everything that was kept under personal keys: drafts and unsent messages are nobody else's business. */
export const forgetPersonalStorage = (): void => {
  timesForgotten += 1
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
    for (const key of keys) if (key?.startsWith(prefix)) storage.removeItem(key)
  }
  notify()
}
