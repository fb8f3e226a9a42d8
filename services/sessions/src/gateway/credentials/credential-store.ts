import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import {
  type AuthenticationCreds,
  type AuthenticationState,
  BufferJSON,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys'
import type { Pool } from 'pg'
import { retryWhileUnreachable } from '../retry-while-unreachable.ts'
import { cachedKeys } from './cached-keys.ts'
import { keyCache } from './key-cache.ts'
import { keyWriter } from './key-writer.ts'
import type { CredentialsHolder } from './queries.ts'
import * as table from './queries.ts'
import { reviveKey } from './revive-key.ts'

/** Closed, or the lease is another process's: no reads or writes. */
export class CredentialsClosed extends Error {
  override name = 'CredentialsClosed'
}

export interface OpenCredentials {
  /** Baileys changes `creds` in place; `save` stores them. Key operations wait for a missing database. */
  state: AuthenticationState
  save(): Promise<void>
  /** Afterwards reads and writes throw `CredentialsClosed`, so that an abandoned line cannot spoil its successor's keys. */
  close(): void
}

export interface CredentialStore {
  /** New credentials when none were linked. Those of an unfinished pairing code look linked, but are useless without their socket. */
  open(holder: CredentialsHolder): Promise<OpenCredentials>
  /** Also of earlier generations; not while another process has the lease. */
  forget(holder: CredentialsHolder): Promise<void>
}

const lastNewPreKey = (data: SignalDataSet): number =>
  Object.entries(data['pre-key'] ?? {})
    .filter(([, key]) => key)
    .map(([id]) => Number(id))
    .filter(Number.isSafeInteger)
    .reduce((last, id) => Math.max(last, id), 0)

/** For all lines together: sessions with tens of thousands of people. */
const maxCacheBytes = 64 * 2 ** 20

const requireHeld = (held: boolean) => {
  if (!held) throw new CredentialsClosed('another process has the connection of these credentials')
}

/** Encrypted in the database; writes are fenced by the lease. */
const encryptedKeys = (pool: Pool, box: SecretBox, writePool: Pool) => {
  const writer = keyWriter(writePool)
  const encrypt = (value: unknown, context: string) =>
    box.encrypt(Buffer.from(JSON.stringify(value, BufferJSON.replacer)), context)
  const decrypt = (encrypted: Buffer, context: string): unknown =>
    JSON.parse(box.decrypt(encrypted, context).toString(), BufferJSON.reviver)

  const keyContext = (connectionId: string, type: string, id: string) => `whatsapp ${connectionId} ${type} ${id}`
  const fingerprintOf = (connectionId: string, type: string, id: string) =>
    Buffer.from(box.fingerprint(id, `whatsapp key ${connectionId} ${type}`), 'hex')

  const getKeys = async <T extends keyof SignalDataTypeMap>(connectionId: string, type: T, ids: readonly string[]) => {
    const idOf = new Map(ids.map((id) => [fingerprintOf(connectionId, type, id).toString('hex'), id]))
    const fingerprints = [...idOf.keys()].map((hex) => Buffer.from(hex, 'hex'))
    const found: Record<string, SignalDataTypeMap[T]> = {}
    for (const { fingerprint, encrypted } of await table.readKeys(pool, connectionId, type, fingerprints)) {
      const id = idOf.get(fingerprint.toString('hex'))
      if (id === undefined) throw new Error('the database returned a key that was not requested')
      found[id] = reviveKey(type, decrypt(encrypted, keyContext(connectionId, type, id)))
    }
    return found
  }

  const setKeys = async (holder: CredentialsHolder, data: SignalDataSet) => {
    const { connectionId } = holder
    const keys: table.EncryptedKey[] = []
    for (const [type, entries] of Object.entries(data))
      for (const [id, value] of Object.entries(entries))
        keys.push({
          type,
          fingerprint: fingerprintOf(connectionId, type, id),
          encrypted: value === null || value === undefined ? null : encrypt(value, keyContext(connectionId, type, id)),
        })
    if (keys.length > 0) requireHeld(await writer.write({ holder, keys }))
  }

  return { encrypt, decrypt, getKeys, setKeys }
}

export const credentialStore = (pool: Pool, box: SecretBox, writePool: Pool = pool): CredentialStore => {
  const cache = keyCache(maxCacheBytes)
  const { encrypt, decrypt, getKeys, setKeys } = encryptedKeys(pool, box, writePool)
  let timesOpened = 0
  const credsContext = (connectionId: string) => `whatsapp ${connectionId} credentials`

  return {
    forget: (holder) => table.deleteCredentials(pool, holder),

    async open(holder) {
      const { connectionId, generation } = holder
      const context = credsContext(connectionId)
      const encrypted = await table.readCredentials(pool, connectionId, generation)
      const stored = encrypted && (decrypt(encrypted, context) as AuthenticationCreds)
      const creds = stored?.account ? stored : initAuthCreds()
      if (creds !== stored) requireHeld(await table.replaceCredentials(pool, holder, encrypt(creds, context)))

      const store: SignalKeyStore = {
        get: (type, ids) => getKeys(connectionId, type, ids),
        set: (data) => setKeys(holder, data),
      }
      // A fresh cache scope: another process may have changed the keys in between.
      const keys = cachedKeys(store, cache, String(++timesOpened))
      /** Published once stored: the ids must not be reused after a crash. */
      const setCounted = async (data: SignalDataSet) => {
        await keys.set(data)
        const next = lastNewPreKey(data) + 1
        if (next <= creds.nextPreKeyId) return
        requireHeld(await table.updateCredentials(pool, holder, encrypt({ ...creds, nextPreKeyId: next }, context)))
      }
      let closed = false
      const requireOpen = () => {
        if (closed) throw new CredentialsClosed('the line of these credentials was closed')
      }
      return {
        state: {
          creds,
          keys: {
            get: (type, ids) => retryWhileUnreachable(async () => keys.get(type, ids), requireOpen),
            set: (data) => retryWhileUnreachable(() => setCounted(data), requireOpen),
          },
        },
        async save() {
          requireOpen()
          requireHeld(await table.updateCredentials(pool, holder, encrypt(creds, context)))
        },
        close() {
          closed = true
        },
      }
    },
  }
}
