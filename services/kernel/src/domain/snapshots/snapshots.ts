import type { Pool } from 'pg'
import { reachability, StoreUnavailable } from '../../async/reachability.ts'
import type { Logger } from '../../observability/log.ts'
import type { Metric } from '../../observability/metric.ts'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import type { SubjectKeys } from '../../privacy/subject-keys.ts'
import type { Saving } from '../decider.ts'
import { hasEntries, savedEntries, type Value } from './entries.ts'
import { postgresTable } from './queries.ts'
import { saveFailures } from './save-failures.ts'
import { newLineage, type SnapshotHead, snapshotEncryption, storedKey } from './snapshot-encryption.ts'
import { snapshotMetrics } from './snapshot-metrics.ts'
import { type FoldRef, isSuperseded, type SnapshotTable } from './snapshot-table.ts'
import { writeBehind } from './write-behind.ts'

export type { SnapshotHead } from './snapshot-encryption.ts'

export interface SavedStream {
  stream: string
  saving: Saving
}

export interface SavedAt {
  lineage: string
  revision: bigint
  /** `clearings` of the entries at the save. */
  clearings: number
}

/** `saved`: the part that is in the table. */
export interface Snapshot {
  head: SnapshotHead
  state: unknown
  saved: SavedAt
}
export type Unsaved = Omit<Snapshot, 'saved'> & { saved: SavedAt | undefined }

export interface Snapshots {
  /** The newest readable one, at or before `upTo`; deletes unreadable ones. */
  load(of: SavedStream, upTo?: bigint): Promise<Snapshot | undefined>
  /** With the table's position; null: never set. Undefined when the lineage is gone. */
  entries(
    of: SavedStream,
    lineage: string,
    keys: readonly string[] | 'all',
  ): Promise<{ revision: bigint; found: Map<string, Value | null> } | undefined>
  /**
   * 'superseded': another process saved this state or a later one. Undefined: erased, failed, or still in backoff. Failures are counted,
   * and logged once.
   */
  save(of: SavedStream, unsaved: Unsaved): Promise<SavedAt | 'superseded' | undefined>
  /**
   * Write-behind of what `take` returns then. Failures are logged; when the queue is full it is skipped, as the next event offers it again.
   */
  saveLater(of: SavedStream, take: () => Unsaved | undefined, done: (saved: SavedAt | 'superseded') => void): void
  discard(of: SavedStream, lineage: string): Promise<void>
  /** Called before shutdown to offer what is worth saving. */
  beforeEnd(offer: () => void): void
  /** Resolves when saved or out of time; the rest is folded again. */
  drain(): Promise<void>
  metrics(): Metric[]
}

export interface SnapshotsOptions {
  subjectKeys: Pick<SubjectKeys, 'current' | 'toDecrypt'>
  box: Pick<SecretBox, 'fingerprint'>
  log: Logger
  maxWaiting?: number
  drainMs?: number
  /** Monotonic; only tests change it. */
  now?: () => number
}

const maxOutageMs = 10_000

const refOf = ({ stream, saving }: SavedStream): FoldRef => ({
  stream,
  decider: saving.decider,
  version: saving.version,
})

const nameOf = ({ stream, saving }: SavedStream) => `${stream} ${saving.decider}`

export const postgresSnapshots = ({ pool, ...options }: SnapshotsOptions & { pool: Pool }): Snapshots =>
  snapshotsIn(postgresTable(pool), options)

/** Deletes what cannot be decrypted, unless its key is only unreachable now. */
const decrypterOf =
  (discard: Snapshots['discard'], log: Logger) =>
  async <T>(
    of: SavedStream,
    lineage: string,
    complaint: string,
    decrypt: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    try {
      const decrypted = await decrypt()
      if (decrypted !== undefined) return decrypted
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      log.warn({ err: error }, complaint)
    }
    await discard(of, lineage)
    return undefined
  }

const saverOf = (
  table: SnapshotTable,
  { encryptState, encryptEntries }: ReturnType<typeof snapshotEncryption>,
  failures: ReturnType<typeof saveFailures>,
  counted: { written: number; failed: number },
): Snapshots['save'] => {
  /** Undefined without a key. */
  const encrypt = async (of: SavedStream, lineage: string, { head, state }: Unsaved) => {
    const ref = refOf(of)
    const encryptedHead = await encryptState(ref, of.saving, lineage, head, state)
    if (!encryptedHead) return undefined
    const changed = hasEntries(state) ? state.entries.changed : []
    return { ...encryptedHead, entries: await encryptEntries(ref, of.saving, lineage, head.tenant, changed) }
  }

  return async (of, unsaved) => {
    const [ref, name] = [refOf(of), nameOf(of)]
    if (!failures.isDue(name)) return undefined
    const { head, state, saved } = unsaved
    const clearings = hasEntries(state) ? state.entries.clearings : 0
    const lineage = saved?.clearings === clearings ? saved.lineage : newLineage()
    const follows = { follows: saved?.lineage, revision: head.revision }
    let isOfTable = true
    try {
      // Avoids useless encryption.
      if (isSuperseded(await table.newest(ref), follows)) return 'superseded'
      isOfTable = false
      const encrypted = await encrypt(of, lineage, unsaved)
      if (!encrypted) {
        failures.hadNoKey(name)
        return undefined
      }
      isOfTable = true
      const keepsHistory = !hasEntries(state)
      if (!(await table.write(ref, { ...follows, lineage, keepsHistory, ...encrypted }))) return 'superseded'
    } catch (error) {
      counted.failed += 1
      failures.failed(name, error, isOfTable || error instanceof StoreUnavailable)
      return undefined
    }
    failures.succeeded(name)
    counted.written += 1
    return { lineage, revision: head.revision, clearings }
  }
}

/** One writer per process, behind the appends. */
export const snapshotsIn = (
  table: SnapshotTable,
  { subjectKeys, box, log, maxWaiting = 5000, drainMs = 3000, now = () => performance.now() }: SnapshotsOptions,
): Snapshots => {
  const encryption = snapshotEncryption(subjectKeys, box)
  const { decryptState, decryptEntries } = encryption
  const database = reachability({
    complaint: 'the snapshots cannot be reached',
    isUnreachable,
    maxOutageMs,
    onTrouble: (error) => log.warn({ err: error }, 'snapshots are out of reach, will be asked again'),
  })
  const counted = { written: 0, failed: 0, dropped: 0, discarded: 0 }
  const failures = saveFailures(log, now)
  const onFailure = (error: unknown) => log.error({ err: error }, 'a snapshot was not written')
  const writer = writeBehind({ maxWaiting, drainMs, onFailure })

  const discard = async (of: SavedStream, lineage: string) => {
    counted.discarded += 1
    await table.drop(refOf(of), lineage)
  }

  const decryptedOrDiscarded = decrypterOf(discard, log)
  const save = saverOf(table, encryption, failures, counted)

  return {
    async load(of, upTo) {
      const ref = refOf(of)
      const row = await database.retryForAWhile(() => table.read(ref, upTo))
      if (!row) return undefined
      const complaint = 'a snapshot cannot be read: its stream is folded again'
      const decrypted = await decryptedOrDiscarded(of, row.lineage, complaint, () => decryptState(ref, row))
      if (!decrypted) return undefined
      const { head, count } = decrypted
      const state = count === null ? decrypted.state : { ...(decrypted.state as object), entries: savedEntries(count) }
      return { head, state, saved: { lineage: row.lineage, revision: head.revision, clearings: 0 } }
    },

    async entries(of, lineage, keys) {
      const names = keys === 'all' ? keys : keys.map((key) => storedKey(of.saving, of, key, box))
      const read = await database.retryForAWhile(() => table.entries(refOf(of), lineage, names))
      if (!read) return undefined
      const complaint = 'entries of a snapshot cannot be read: the stream is folded again'
      const decrypted = await decryptedOrDiscarded(of, lineage, complaint, () => decryptEntries(lineage, read.entries))
      if (!decrypted) return undefined
      if (keys === 'all') return { revision: read.revision, found: decrypted }
      const found = new Map(keys.map((key, index) => [key, decrypted.get(names[index] ?? '') ?? null]))
      return { revision: read.revision, found }
    },

    save,
    discard,

    saveLater(of, take, done) {
      if (!failures.isDue(nameOf(of))) return
      const isOffered = writer.offer(nameOf(of), async () => {
        const unsaved = take()
        const saved = unsaved && (await save(of, unsaved))
        if (saved) done(saved)
      })
      if (!isOffered) counted.dropped += 1
    },

    beforeEnd: writer.beforeEnd,
    drain() {
      failures.forgetPauses()
      return writer.drain()
    },
    metrics: () => snapshotMetrics({ ...counted, failing: failures.failing() }, writer.waiting()),
  }
}
