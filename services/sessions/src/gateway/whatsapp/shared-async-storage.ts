import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

type Stores = ReadonlyMap<object, unknown>

const all = new AsyncLocalStorage<Stores>()

class SharingAsyncLocalStorage<T> extends AsyncLocalStorage<T> {
  override run<R, A extends unknown[]>(store: T, work: (...parameters: A) => R, ...parameters: A): R {
    return all.run(new Map(all.getStore()).set(this, store), work, ...parameters)
  }

  override exit<R, A extends unknown[]>(work: (...parameters: A) => R, ...parameters: A): R {
    const others = new Map(all.getStore())
    others.delete(this)
    return all.run(others, work, ...parameters)
  }

  override getStore(): T | undefined {
    return all.getStore()?.get(this) as T | undefined
  }

  override enterWith(): never {
    throw new Error('a storage that shares cannot be entered without leaving it')
  }

  override disable(): never {
    throw new Error('a storage that shares cannot be disabled')
  }
}

/** Before Node 24, each storage that ever ran writes a property into every promise. */
export const storagesAreInPromises = Number(process.versions.node.split('.')[0]) < 24

/**
 * Instances that `make` creates share one, where storages are in promises: Baileys makes one a socket, which took half of the processor
 * with 50 numbers.
 */
export const sharingAsyncStorage = <T>(make: () => T): T => {
  if (!storagesAreInPromises) return make()
  const own = asyncHooks.AsyncLocalStorage
  const exportAs = (storage: typeof own) => {
    asyncHooks.AsyncLocalStorage = storage
    syncBuiltinESMExports()
  }
  exportAs(SharingAsyncLocalStorage)
  try {
    return make()
  } finally {
    exportAs(own)
  }
}
