import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * What `make` gives, and how every AsyncLocalStorage that it made is switched off again. Before Node 24, each that was ever run
 * writes a property into every promise of the process, and Baileys makes one for each of its sockets: after the hundred sockets
 * of some test files, all that ran later in the same process took twice as long.
 */
export const withForgettableStorages = <T>(make: () => T): { made: T; forget(): void } => {
  const own = asyncHooks.AsyncLocalStorage
  const storages: AsyncLocalStorage<unknown>[] = []
  class RememberedStorage<S> extends AsyncLocalStorage<S> {
    constructor() {
      super()
      storages.push(this)
    }
  }
  const exportAs = (storage: typeof own) => {
    asyncHooks.AsyncLocalStorage = storage
    syncBuiltinESMExports()
  }
  exportAs(RememberedStorage)
  try {
    const made = make()
    const forget = () => {
      for (const storage of storages) storage.disable()
    }
    return { made, forget }
  } finally {
    exportAs(own)
  }
}
