import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import {
  type AuthenticationCreds,
  type AuthenticationState,
  BufferJSON,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
} from '@whiskeysockets/baileys'
import type { Pool } from 'pg'
import { outlasting } from '../outlasting.ts'
import * as table from './queries.ts'
import { rememberedKeys } from './remembered-keys.ts'
import { reviveKey } from './revive-key.ts'

/** The credentials were closed, or a newer line has taken their place: nothing may be read or written any more. */
export class CredentialsClosed extends Error {
  override name = 'CredentialsClosed'
}

export interface OpenCredentials {
  /** What Baileys works with. It changes `creds` in place; `save` stores them. Keys wait for a database that is away. */
  state: AuthenticationState
  /** Stores the credentials as they are now. */
  save(): Promise<void>
  /** From now on reading and writing throw `CredentialsClosed`: a line that was given up cannot spoil its successor's keys. */
  close(): void
}

export interface CredentialStore {
  /** Connections that hold credentials or are about to get some. */
  connections(): Promise<string[]>
  /** Makes the connection known to `connections` before anything else happens to it. */
  reserve(connectionId: string, generation: number): Promise<void>
  /** The credentials of this generation; new ones when none of it were ever linked to a number. */
  open(connectionId: string, generation: number): Promise<OpenCredentials>
  /** Deletes credentials and keys of this generation and all before. */
  forget(connectionId: string, upTo: number): Promise<void>
}

/** Credentials and every type of Signal key, sealed in PostgreSQL; each write is one statement. */
export const credentialStore = (pool: Pool, box: SecretBox): CredentialStore => {
  const seal = (value: unknown, context: string) =>
    box.seal(Buffer.from(JSON.stringify(value, BufferJSON.replacer)), context)
  const unseal = (sealed: Buffer, context: string): unknown =>
    JSON.parse(box.open(sealed, context).toString(), BufferJSON.reviver)

  const credsContext = (connectionId: string) => `whatsapp ${connectionId} credentials`
  const keyContext = (connectionId: string, type: string, id: string) => `whatsapp ${connectionId} ${type} ${id}`
  const fingerprintOf = (connectionId: string, type: string, id: string) =>
    Buffer.from(box.fingerprint(id, `whatsapp key ${connectionId} ${type}`), 'hex')

  const getKeys = async <T extends keyof SignalDataTypeMap>(connectionId: string, type: T, ids: readonly string[]) => {
    const idOf = new Map(ids.map((id) => [fingerprintOf(connectionId, type, id).toString('hex'), id]))
    const fingerprints = [...idOf.keys()].map((hex) => Buffer.from(hex, 'hex'))
    const found: Record<string, SignalDataTypeMap[T]> = {}
    for (const { fingerprint, sealed } of await table.readKeys(pool, connectionId, type, fingerprints)) {
      const id = idOf.get(fingerprint.toString('hex'))
      if (id === undefined) throw new Error('a key was found that nobody asked for')
      found[id] = reviveKey(type, unseal(sealed, keyContext(connectionId, type, id)))
    }
    return found
  }

  const setKeys = async (connectionId: string, generation: number, data: SignalDataSet) => {
    const keys: table.SealedKey[] = []
    for (const [type, entries] of Object.entries(data))
      for (const [id, value] of Object.entries(entries))
        keys.push({
          type,
          fingerprint: fingerprintOf(connectionId, type, id),
          sealed: value === null || value === undefined ? null : seal(value, keyContext(connectionId, type, id)),
        })
    if (keys.length > 0) await table.writeKeys(pool, connectionId, generation, keys)
  }

  return {
    connections: () => table.connectionsWithCredentials(pool),
    reserve: (connectionId, generation) => table.reserveCredentials(pool, connectionId, generation),
    forget: (connectionId, upTo) => table.deleteCredentials(pool, connectionId, upTo),

    async open(connectionId, generation) {
      const context = credsContext(connectionId)
      const sealed = await table.readCredentials(pool, connectionId, generation)
      const kept = sealed && (unseal(sealed, context) as AuthenticationCreds)
      const creds = kept?.me ? kept : initAuthCreds()
      if (creds !== kept) await table.replaceCredentials(pool, connectionId, generation, seal(creds, context))

      const keys = rememberedKeys({
        get: (type, ids) => getKeys(connectionId, type, ids),
        set: (data) => setKeys(connectionId, generation, data),
      })
      let closed = false
      const requireOpen = () => {
        if (closed) throw new CredentialsClosed('the line of these credentials was closed')
      }
      return {
        state: {
          creds,
          keys: {
            get: (type, ids) => outlasting(async () => keys.get(type, ids), requireOpen),
            set: (data) => outlasting(async () => keys.set(data), requireOpen),
          },
        },
        async save() {
          requireOpen()
          await table.updateCredentials(pool, connectionId, generation, seal(creds, context))
        },
        close() {
          closed = true
        },
      }
    },
  }
}
