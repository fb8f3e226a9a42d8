const prefix = 'prosa:'

/** The key under which this browser keeps something of the user's own; it is forgotten when somebody else signs in. */
export const personalKey = (name: string): string => `${prefix}${name}`

/** Removes everything that was kept under personal keys: drafts and unsent messages are nobody else's business. */
export const forgetPersonalStorage = (): void => {
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
    for (const key of keys) if (key?.startsWith(prefix)) storage.removeItem(key)
  }
}
