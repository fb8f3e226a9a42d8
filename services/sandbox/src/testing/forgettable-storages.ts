import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Runs `make` and can disable its AsyncLocalStorage instances. Before Node 24 each that ran slows every promise; after a hundred Baileys
 * sockets later tests took twice as long.
 */
export const withForgettableStorages = <T>(make: () => T): { made: T; forget(): void } => {
  const own = asyncHooks.AsyncLocalStorage
  const storages: AsyncLocalStorage<unknown>[] = []
  class TrackedStorage<S> extends AsyncLocalStorage<S> {
    constructor() {
      super()
      storages.push(this)
    }
  }
  const exportAs = (storage: typeof own) => {
    asyncHooks.AsyncLocalStorage = storage
    syncBuiltinESMExports()
  }
  exportAs(TrackedStorage)
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
