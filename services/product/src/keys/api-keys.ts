import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyScope } from '@prosa/contracts/values/key'
import { isPlatformScope } from '@prosa/contracts/values/key-scopes'
import { deriveId } from '@prosa/kernel/derive-id'
import { type CommandHandler, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { actAsHolder, type KeyGate, type VerifiedKey } from '@prosa/kernel/http/keys'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyRequest } from 'fastify'
import { type ApiKeyCommand, type ApiKeyEvent, type ApiKeyState, apiKey } from './api-key.ts'
import { readKey, secretHashOf } from './key-text.ts'
import { type KeyUse, type StreamExport, streamExport } from './stream-export.ts'

type NotedUse = { type: 'ExportStream'; data: StreamExport } | { type: 'UseApiKey'; data: KeyUse }

type Deps = Pick<Ports, 'store' | 'codec' | 'clock' | 'roles' | 'authenticator'>

export interface ApiKeys extends KeyGate {
  /** By `keyStreamId`. */
  handle: CommandHandler<ApiKeyCommand, ApiKeyEvent, ApiKeyState, 'key_not_found'>
  /** Whether a key that was verified still is valid, or the session has not ended. */
  isValid(key: VerifiedKey): Promise<boolean>
  /** Resolves once the export is in the log; the reply may begin then. */
  recordExport(request: FastifyRequest, question: Omit<StreamExport, 'keyId' | 'at' | 'withPersonal'>): Promise<void>
}

export const keyStreamId = (userId: string, keyId: string): string => `${userId}:${keyId}`

const isActiveAccount: Reader<StoredOf<'UserRegistered' | 'UserErased'>, boolean> = {
  initial: false,
  evolve: { UserRegistered: () => true, UserErased: () => false },
}

const isSame = (hash: string, other: string) =>
  hash.length === other.length && timingSafeEqual(Buffer.from(hash), Buffer.from(other))

/** The log decides at each request: a revocation holds at once, in every process. */
export const apiKeys = ({ store, codec, clock, roles, authenticator }: Deps): ApiKeys => {
  const handling = { store, codec, clock, service: 'operations' } as const
  const handle = commandHandler({ ...handling, category: 'apiKey', decider: apiKey, foreign: 'key_not_found' })
  const exports = commandHandler({
    ...handling,
    category: 'streamExport',
    decider: streamExport,
    foreign: 'unexpected',
  })
  const accounts = readFold({ store, codec }, 'user', isActiveAccount)

  const isHolder = async (userId: string, reach: VerifiedKey['reach']) => {
    if (!(await accounts.load(userId, userId))) return false
    return reach === 'tenant' || (await roles.of(userId)).includes('analyst')
  }
  const isCurrent = async (state: ApiKeyState, userId: string) =>
    state.status === 'active' &&
    Date.parse(state.expiresAt) > Date.parse(clock.now()) &&
    (await isHolder(userId, state.reach))

  const verify = async (header: string | undefined, scope: KeyScope): Promise<VerifiedKey> => {
    const text = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
    const asked = text === undefined ? undefined : readKey(text)
    if (!asked) throw refuse('key_required')
    const { userId, keyId, secret } = asked
    const state = await handle.load(keyStreamId(userId, keyId), userId)
    if (state.status === 'absent' || !isSame(secretHashOf(secret), state.secretHash)) throw refuse('key_required')
    if (!(await isCurrent(state, userId))) throw refuse('key_over')
    if (!state.scopes.includes(scope) || (state.reach === 'platform' && !isPlatformScope(scope)))
      throw refuse('key_not_allowed')
    return { id: keyId, userId, reach: state.reach, withPersonal: state.withPersonal && state.reach === 'tenant' }
  }

  const note = async ({ apiKey: key, id: requestId }: FastifyRequest, command: NotedUse): Promise<void> => {
    const outcome = await exports(`${key.userId}:${key.id}:${command.data.at.slice(0, 10)}`, command, {
      commandId: deriveId('stream export', requestId),
      actor: { kind: 'user', id: key.userId, ...(key.session ? {} : { keyId: key.id }) },
      tenant: key.userId,
      causationId: requestId,
      correlationId: requestId,
    })
    if (!outcome.ok) throw refuse(outcome.rejected)
  }

  /** The own personal fields only where the request asks for them, which then stands in the history. */
  const ofSession = async ({ signedIn, query, headers }: FastifyRequest): Promise<VerifiedKey> => {
    if (!signedIn) throw refuse('key_required')
    const { id } = signedIn
    const isAnalyst = (await roles.of(id)).includes('analyst')
    const withPersonal = !isAnalyst && (query as { personal?: unknown }).personal === 'true'
    return { id, userId: id, reach: isAnalyst ? 'platform' : 'tenant', withPersonal, session: headers }
  }
  const isSession = async ({ userId, reach }: VerifiedKey, headers: IncomingHttpHeaders) =>
    (await authenticator.authenticate(headers))?.userId === userId && (await isHolder(userId, reach))

  return {
    handle,
    require: (scope, alsoInBrowser) => async (request) => {
      const { authorization } = request.headers
      if (authorization === undefined && alsoInBrowser) {
        request.apiKey = await ofSession(request)
        return
      }
      actAsHolder(request, await verify(authorization, scope))
      // Readers of events record what they ask for.
      if (isPlatformScope(scope)) return
      await note(request, { type: 'UseApiKey', data: { keyId: request.apiKey.id, scope, at: clock.now() } })
    },
    isValid: async (key) => {
      const { id, userId, session } = key
      if (session) return isSession(key, session)
      return isCurrent(await handle.load(keyStreamId(userId, id), userId), userId)
    },
    async recordExport(request, question) {
      const { id: keyId, withPersonal } = request.apiKey
      await note(request, { type: 'ExportStream', data: { ...question, keyId, withPersonal, at: clock.now() } })
    },
  }
}
