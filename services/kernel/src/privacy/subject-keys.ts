import { randomBytes, randomUUID } from 'node:crypto'
import type { Subject } from '@prosa/contracts/events/subjects'
import type { Pool } from 'pg'
import { reachability } from '../async/reachability.ts'
import { lruMap } from '../lru-map.ts'
import { isUnreachable } from '../postgres/is-unreachable.ts'
import { listen } from '../postgres/listen.ts'
import { type MasterKeys, WrongMasterSecret } from './master-keys.ts'
import * as table from './queries.ts'
import { erasedChannel } from './table.ts'

export interface SubjectKey {
  id: string
  subject: string
  /** 32 bytes, for AES-256. */
  key: Uint8Array
}

/** Destroying a key destroys its data, wherever stored. */
export interface SubjectKeys {
  /** Creates missing keys. */
  toEncrypt(subjects: readonly Subject[]): Promise<ReadonlyMap<string, SubjectKey>>
  /** Omits subjects without a key. */
  current(subjects: readonly Subject[]): Promise<ReadonlyMap<string, SubjectKey>>
  /** Omits unknown keys. */
  toDecrypt(ids: readonly string[]): Promise<ReadonlyMap<string, SubjectKey | 'erased'>>
  /** From the cache only; undefined if one is missing. */
  cached(ids: readonly string[]): ReadonlyMap<string, SubjectKey | 'erased'> | undefined
  /** Cache decrypted values only while this is the same object: seconds, never beyond an erasure. */
  cacheGeneration(): object
  /** Returns the number of keys. Idempotent; later data of the subject get a new key. */
  erase(subjects: readonly Subject[], prefixes?: readonly string[]): Promise<number>
}

export interface SubjectKeysOptions {
  pool: Pool
  databaseUrl: string
  masters: MasterKeys
  signal: AbortSignal
  onTrouble?: (error: unknown) => void
  /** Monotonic milliseconds. */
  now?: () => number
  heartbeatMs?: number
}

const maxCachedKeys = 20_000
/** How long erased data may be shown if an announcement is missed. */
export const cacheMs = 30_000
const generationMs = 5000
/** The connection is probed every 5 s: no announcement is missed until two probes fail. */
const aliveMs = 12_000
const maxOutageMs = 10_000
const complaint = 'the keys of personal data cannot be reached'

const context = ({ id, subject }: { id: string; subject: string }) => `subject key ${id} ${subject}`

export const rewrapped = (masters: MasterKeys, row: table.NewSubjectKey) => ({
  id: row.id,
  ...masters.wrap(masters.unwrap(row, context(row)), context(row)),
})

interface CacheEntry<T> {
  value: T
  until: number
}

const cacheOf = <T>(now: () => number, isListening: () => boolean) => {
  const entries = lruMap<string, CacheEntry<T>>(maxCachedKeys)
  return {
    get(name: string): T | undefined {
      const entry = entries.get(name)
      return entry && (isListening() || entry.until > now()) ? entry.value : undefined
    },
    set: (name: string, value: T) => entries.set(name, { value, until: now() + cacheMs - generationMs }),
  }
}

const emptyCaches = (now: () => number, isListening: () => boolean) => ({
  bySubject: cacheOf<SubjectKey>(now, isListening),
  byId: cacheOf<SubjectKey | 'erased'>(now, isListening),
  cacheGeneration: { since: now() },
})

const add = ({ bySubject, byId }: ReturnType<typeof emptyCaches>, key: SubjectKey) => {
  bySubject.set(key.subject, key)
  byId.set(key.id, key)
}

/** `missing` names each once. */
const divide = <Name extends string, T>(cache: { get(name: string): T | undefined }, names: readonly Name[]) => {
  const keys = new Map<string, T>()
  const missing = new Set<Name>()
  for (const name of names) {
    const key = cache.get(name)
    if (key) keys.set(name, key)
    else missing.add(name)
  }
  return { keys, missing: [...missing] }
}

const newKeyOf = (subject: Subject, masters: MasterKeys): table.NewSubjectKey => {
  const id = randomUUID()
  return { id, subject, ...masters.wrap(randomBytes(32), context({ id, subject })) }
}

const decrypted = (row: table.SubjectKeyRow, masters: MasterKeys): SubjectKey | 'erased' => {
  const { id, subject, wrapped, master } = row
  if (wrapped === null || master === null) return 'erased'
  return { id, subject, key: masters.unwrap({ wrapped, master }, context(row)) }
}

/** Any erasure clears the cache. Without announcements keys expire within half a minute. */
export const subjectKeys = ({
  pool,
  databaseUrl,
  masters,
  signal,
  onTrouble = () => undefined,
  now = () => performance.now(),
  heartbeatMs,
}: SubjectKeysOptions): SubjectKeys => {
  const database = reachability({ complaint, isUnreachable, maxOutageMs, onTrouble })
  let aliveAt = Number.NEGATIVE_INFINITY
  const isListening = () => now() - aliveAt < aliveMs
  const empty = () => emptyCaches(now, isListening)
  // Replaced as a whole: a read that began before an erasure fills a discarded cache.
  let known = empty()
  const forget = () => {
    known = empty()
  }
  const onAlive = () => {
    aliveAt = now()
  }
  listen(databaseUrl, erasedChannel, forget, signal, { onAlive, heartbeatMs })

  return {
    async toEncrypt(subjects) {
      const cache = known
      const { keys, missing } = divide(cache.bySubject, subjects)
      if (missing.length === 0) return keys
      const offered = missing.map((subject) => newKeyOf(subject, masters))
      for (const row of await database.retryForAWhile(() => table.findOrAddKeys(pool, offered))) {
        const key = decrypted(row, masters)
        if (key === 'erased') throw new WrongMasterSecret('a current key has no bytes')
        keys.set(row.subject, key)
        add(cache, key)
      }
      return keys
    },

    async current(subjects) {
      const cache = known
      const { keys, missing } = divide(cache.bySubject, subjects)
      if (missing.length === 0) return keys
      for (const row of await database.retryForAWhile(() => table.readCurrentKeys(pool, missing))) {
        const key = decrypted(row, masters)
        if (key === 'erased') continue
        keys.set(row.subject, key)
        add(cache, key)
      }
      return keys
    },

    cached(ids) {
      const { keys, missing } = divide(known.byId, ids)
      return missing.length === 0 ? keys : undefined
    },

    cacheGeneration() {
      if (now() - known.cacheGeneration.since >= generationMs) known.cacheGeneration = { since: now() }
      return known.cacheGeneration
    },

    async toDecrypt(ids) {
      const cache = known
      const { keys, missing } = divide(cache.byId, ids)
      if (missing.length === 0) return keys
      for (const row of await database.retryForAWhile(() => table.readKeys(pool, missing))) {
        const key = decrypted(row, masters)
        keys.set(row.id, key)
        cache.byId.set(row.id, key)
      }
      return keys
    },

    async erase(subjects, prefixes = []) {
      const erased = await table.eraseKeys(pool, subjects, prefixes)
      forget()
      return erased
    },
  }
}
