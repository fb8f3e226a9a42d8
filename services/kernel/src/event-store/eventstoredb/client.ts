import { setImmediate } from 'node:timers/promises'
import { type Credentials, DeadlineExceededError, EventStoreDBClient, UnavailableError } from '@eventstore/db-client'

export interface Client {
  esdb: EventStoreDBClient
  /** With credentials a call is the classic append, without them the shared batch append. */
  credentials: Credentials
}

/** Not sent without TLS. */
const unsent = { username: 'nobody', password: 'nobody' }

/** Throws on an invalid URL. */
export const openClient = (
  url: string,
  given: Credentials | undefined,
  onTrouble: (error: unknown) => void,
): Client => {
  const insecure = /[?&]tls=false(&|$)/i.test(url)
  const credentials = given ?? credentialsIn(url) ?? (insecure ? unsent : undefined)
  if (!credentials)
    throw new Error(
      'EventStoreDB over TLS needs a user and a password: esdb://user:password@host:2113, or add ?tls=false',
    )
  const esdb = parsed(url)
  steady(esdb, onTrouble)
  return { esdb, credentials }
}

const parsed = (url: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(url)
  } catch (error) {
    // The client's message quotes the URL, which may hold a password.
    const expected = error instanceof Error && 'expected' in error ? `, expected ${error.expected}` : ''
    throw new Error(`the address of EventStoreDB cannot be read${expected}`)
  }
}

const credentialsIn = (url: string): Credentials | undefined => {
  const [, username, password] = /^[^:]+:\/\/([^:/?@]+):([^@]+)@/.exec(url) ?? []
  if (!username || !password) return undefined
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

interface Internals {
  handleError(grpcClient: unknown, error: Error): Promise<void>
}

/**
 * The client closes a lost channel in a promise that nothing awaits. It rejects during cluster discovery, and a call being made throws an
 * unhandled error unless the channel closes in its own tick; both end the process. A missed deadline counts as loss, since TCP never
 * reports a half-open connection and pings take 20 s.
 */
const steady = (esdb: EventStoreDBClient, onTrouble: (error: unknown) => void) => {
  const internals = esdb as unknown as Internals
  const { handleError } = internals
  internals.handleError = async (grpcClient, error) => {
    await setImmediate()
    const lost = error instanceof DeadlineExceededError ? new UnavailableError() : error
    await handleError(grpcClient, lost).catch(onTrouble)
  }
}
