import type { Stanza } from '../../wire/stanza.ts'
import type { Account, Device, Directory, KeyBundle } from '../directory.ts'
import type { MediaHost } from '../media.ts'

/** Content of the result, or an error. */
export type Answer = Stanza[] | { error: string; text: string }

export interface QueriedServer {
  readonly options: { fewPreKeys?: boolean }
  readonly directory: Directory
  readonly media: MediaHost
  readonly unanswered: string[]
  takeBundle(device: Device | undefined): KeyBundle | undefined
  startDelivery(device: Device): void
  unlink(device: Device): void
  setBlocked(blocker: Account, other: Account, blocked: boolean): void
}

export type QueryHandler = (request: Stanza, device: Device, server: QueriedServer) => Answer

/** Keyed by `type/first child` of the query. */
export type Namespace = Record<string, QueryHandler>

export const nothing: QueryHandler = () => []
export const notFound = { error: '404', text: 'item-not-found' }
export const notAcceptable = { error: '406', text: 'not-acceptable' }
