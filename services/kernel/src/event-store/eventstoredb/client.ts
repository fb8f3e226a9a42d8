import { setImmediate } from 'node:timers/promises'
import { type Credentials, DeadlineExceededError, EventStoreDBClient, UnavailableError } from '@eventstore/db-client'

export interface Client {
  esdb: EventStoreDBClient
  /** For every call: a call that names credentials is the classic append, one that does not is the shared batch append. */
  credentials: Credentials
}

/** Without TLS the client sends none, so that any will do. */
const unsent = { username: 'nobody', password: 'nobody' }

/** A client of one server or cluster; it connects with its first call. Throws when the address cannot be read. */
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
    // The client's message repeats parts of the address, which may hold a password.
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
 * After a lost connection the client closes its channel, in a promise that nobody awaits. Two of its faults can end the process
 * there, so we stand in between: while a cluster cannot be discovered that promise rejects; and a call that was just being made
 * on the channel throws where nobody can catch it, unless the channel is closed in a turn of its own. A missed deadline counts
 * as a lost connection too: one that is half open is reported never by TCP, and by the client's pings after 20 s.
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
