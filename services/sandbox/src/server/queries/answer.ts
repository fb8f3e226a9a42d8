import type { Stanza } from '../../wire/stanza.ts'
import type { Device } from '../directory.ts'
import type { SandboxServer } from '../server.ts'

/** What goes inside the result, or an error code with its text. */
export type Answer = Stanza[] | { error: string; text: string }

export type QueryHandler = (request: Stanza, device: Device, server: SandboxServer) => Answer

/** Handlers of one namespace, keyed by `type/first child` of the query. */
export type Namespace = Record<string, QueryHandler>

export const nothing: QueryHandler = () => []
export const notFound = { error: '404', text: 'item-not-found' }
export const notAcceptable = { error: '406', text: 'not-acceptable' }
