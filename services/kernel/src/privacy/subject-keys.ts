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

/** The keys that lock personal data, one for each subject. Destroying the key destroys the data, wherever it is stored. */
export interface SubjectKeys {
  /** The current key of each subject, made where there is none. */
  toLock(subjects: readonly Subject[]): Promise<ReadonlyMap<string, SubjectKey>>
  /** The current keys of these subjects; those that have none, or none any more, are not among them. */
  current(subjects: readonly Subject[]): Promise<ReadonlyMap<string, SubjectKey>>
  /** Keys by id; those that nobody knows are not among them. */
  toUnlock(ids: readonly string[]): Promise<ReadonlyMap<string, SubjectKey | 'erased'>>
  /** The same without asking anybody; undefined where one of them is not remembered. */
  atHand(ids: readonly string[]): ReadonlyMap<string, SubjectKey | 'erased'> | undefined
  /** Another object after every erasure and every few seconds: what was unlocked may be kept for as long as it is the same. */
  era(): object
  /**
   * Destroys the keys of these subjects and of all whose name begins with one of `prefixes`; answers how many there were.
   * Harmless to repeat. What is locked for such a subject later gets a new key.
   */
  erase(subjects: readonly Subject[], prefixes?: readonly string[]): Promise<number>
}

export interface SubjectKeysOptions {
  pool: Pool
  databaseUrl: string
  masters: MasterKeys
  /** Ends the listening for erasures. */
  signal: AbortSignal
  onTrouble?: (error: unknown) => void
  /** Milliseconds of any clock that only goes forward; only tests bring their own. */
  now?: () => number
  /** See `listen`; only tests change it. */
  heartbeatMs?: number
}

const remembered = 20_000
/** So long what a key locks may be shown after another process erased it, should the announcement not come through. */
export const rememberMs = 30_000
const eraMs = 5000
/** The connection that announces erasures is probed every 5 s: until two probes went unanswered, no announcement was missed. */
const aliveMs = 12_000
const maxOutageMs = 10_000

const context = ({ id, subject }: { id: string; subject: string }) => `subject key ${id} ${subject}`

/** Puts a key that an earlier master key wraps under today's. Throws `WrongMasterSecret`. */
export const rewrapped = (masters: MasterKeys, row: table.NewSubjectKey) => ({
  id: row.id,
  ...masters.wrap(masters.unwrap(row, context(row)), context(row)),
})

interface Remembered<T> {
  value: T
  until: number
}

const memory = <T>(now: () => number, isListening: () => boolean) => {
  const entries = lruMap<string, Remembered<T>>(remembered)
  return {
    get(name: string): T | undefined {
      const entry = entries.get(name)
      return entry && (isListening() || entry.until > now()) ? entry.value : undefined
    },
    set: (name: string, value: T) => entries.set(name, { value, until: now() + rememberMs - eraMs }),
  }
}

/**
 * Keys in PostgreSQL, wrapped by the master key; those in use are remembered, and forgotten as soon as anything is erased. A
 * process that receives no announcements of erasures asks for each key again before half a minute is over.
 */
export const subjectKeys = ({
  pool,
  databaseUrl,
  masters,
  signal,
  onTrouble = () => undefined,
  now = () => performance.now(),
  heartbeatMs,
}: SubjectKeysOptions): SubjectKeys => {
  const complaint = 'the keys of personal data cannot be reached'
  const database = reachability({ complaint, isUnreachable, maxOutageMs, onTrouble })
  let aliveAt = Number.NEGATIVE_INFINITY
  const isListening = () => now() - aliveAt < aliveMs
  const empty = () => ({
    bySubject: memory<SubjectKey>(now, isListening),
    byId: memory<SubjectKey | 'erased'>(now, isListening),
    era: { since: now() },
  })
  // Replaced as a whole: what was read before an erasure goes into a memory that nobody asks any more.
  let known = empty()
  const forget = () => {
    known = empty()
  }
  const onAlive = () => {
    aliveAt = now()
  }
  listen(databaseUrl, erasedChannel, forget, signal, { onAlive, heartbeatMs })

  const opened = (row: table.SubjectKeyRow): SubjectKey | 'erased' => {
    const { id, subject, wrapped, master } = row
    if (wrapped === null || master === null) return 'erased'
    return { id, subject, key: masters.unwrap({ wrapped, master }, context(row)) }
  }

  return {
    async toLock(subjects) {
      const memory = known
      const keys = new Map<string, SubjectKey>()
      const missing = new Set<Subject>()
      for (const subject of subjects) {
        const key = memory.bySubject.get(subject)
        if (key) keys.set(subject, key)
        else missing.add(subject)
      }
      if (missing.size === 0) return keys
      const offered = [...missing].map((subject) => {
        const id = randomUUID()
        return { id, subject, ...masters.wrap(randomBytes(32), context({ id, subject })) }
      })
      for (const row of await database.retryForAWhile(() => table.findOrAddKeys(pool, offered))) {
        const key = opened(row)
        if (key === 'erased') throw new WrongMasterSecret('a current key has no bytes')
        keys.set(row.subject, key)
        memory.bySubject.set(row.subject, key)
        memory.byId.set(row.id, key)
      }
      return keys
    },

    async current(subjects) {
      const memory = known
      const keys = new Map<string, SubjectKey>()
      const missing: Subject[] = []
      for (const subject of subjects) {
        const key = memory.bySubject.get(subject)
        if (key) keys.set(subject, key)
        else missing.push(subject)
      }
      if (missing.length === 0) return keys
      for (const row of await database.retryForAWhile(() => table.readCurrentKeys(pool, missing))) {
        const key = opened(row)
        if (key === 'erased') continue
        keys.set(row.subject, key)
        memory.bySubject.set(row.subject, key)
        memory.byId.set(row.id, key)
      }
      return keys
    },

    atHand(ids) {
      const keys = new Map<string, SubjectKey | 'erased'>()
      for (const id of ids) {
        const key = known.byId.get(id)
        if (!key) return undefined
        keys.set(id, key)
      }
      return keys
    },

    era() {
      if (now() - known.era.since >= eraMs) known.era = { since: now() }
      return known.era
    },

    async toUnlock(ids) {
      const memory = known
      const keys = new Map<string, SubjectKey | 'erased'>()
      const missing = new Set<string>()
      for (const id of ids) {
        const key = memory.byId.get(id)
        if (key) keys.set(id, key)
        else missing.add(id)
      }
      if (missing.size === 0) return keys
      for (const row of await database.retryForAWhile(() => table.readKeys(pool, [...missing]))) {
        const key = opened(row)
        keys.set(row.id, key)
        memory.byId.set(row.id, key)
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
