import type { Outgoing } from './outgoing.ts'

/** A chosen file does not survive a reload; the server has accepted messages. */
const isOfThisPage = ({ state, media }: Outgoing) => state === 'accepted' || media?.uploadedId === null

const read = (storage: Storage, key: string): Outgoing[] => JSON.parse(storage.getItem(key) ?? '[]')
const write = (storage: Storage, key: string, all: Outgoing[]) => {
  const text = JSON.stringify(all)
  if (text !== (storage.getItem(key) ?? '[]')) storage.setItem(key, text)
}

/**
 * Messages that need not this page are stored for all tabs and outlive them; the rest goes with the tab. Each tab writes only its own
 * changes, because two may write at once.
 */
export const outgoingStorage = () => {
  let known: Outgoing[] = []

  const getItem = (key: string): Outgoing[] => {
    const shared = read(localStorage, key)
    const ids = new Set(shared.map(({ id }) => id))
    const own = read(sessionStorage, key).filter(({ id }) => !ids.has(id))
    known = [...shared, ...own].sort((one, other) => one.writtenAt.localeCompare(other.writtenAt))
    return known
  }

  return {
    getItem,
    setItem(key: string, all: Outgoing[]) {
      const before = new Set(known)
      const touched = new Set([...known, ...all.filter((one) => !before.has(one))].map(({ id }) => id))
      for (const one of all) if (before.has(one)) touched.delete(one.id)
      const shared = all.filter((one) => !isOfThisPage(one))
      const theirs = read(localStorage, key).filter(({ id }) => !touched.has(id))
      write(localStorage, key, [...theirs, ...shared.filter(({ id }) => touched.has(id))])
      write(sessionStorage, key, all.filter(isOfThisPage))
      known = all
    },
    removeItem(key: string) {
      known = []
      localStorage.removeItem(key)
      sessionStorage.removeItem(key)
    },
    /** Change by another tab. */
    subscribe(key: string, onChange: (all: Outgoing[]) => void) {
      const follow = (event: StorageEvent) => {
        if (event.storageArea === localStorage && (event.key === key || event.key === null)) onChange(getItem(key))
      }
      window.addEventListener('storage', follow)
      return () => window.removeEventListener('storage', follow)
    },
  }
}
