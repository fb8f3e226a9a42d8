import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | undefined>()

export const correlationId = (): string | undefined => current.getStore()

/** Log lines of all that `work` starts carry this id. */
export const correlated = <T>(id: string, work: () => T): T => current.run(id, work)

/** For shared resources, e.g. connections. */
export const uncorrelated = <T>(work: () => T): T => current.run(undefined, work)
