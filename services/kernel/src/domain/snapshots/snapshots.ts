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
import { newLineage, type Standing, sealing, storedKey } from './sealing.ts'
import { snapshotMetrics } from './snapshot-metrics.ts'
import { type FoldRef, isSuperseded, type SnapshotTable } from './snapshot-table.ts'
import { writeBehind } from './write-behind.ts'

export type { Standing } from './sealing.ts'

/** Which fold of which stream. */
export interface SavedStream {
  stream: string
  saving: Saving
}

/** What is in the table of a state in memory. */
export interface SavedAt {
  lineage: string
  revision: bigint
  /** Of the entries, when they were saved. */
  clearings: number
}

/** A state as it was loaded, or is to be saved; `saved`: what of it is in the table already. */
export interface Snapshot {
  standing: Standing
  state: unknown
  saved: SavedAt
}
export type Unsaved = Omit<Snapshot, 'saved'> & { saved: SavedAt | undefined }

export interface Snapshots {
  /** The newest that can be opened, with `upTo` of those at that revision or before. One that cannot is thrown away. */
  load(of: SavedStream, upTo?: bigint): Promise<Snapshot | undefined>
  /**
   * Entries of a saved state by key, null for what was never set, and where the state in the table stands; undefined when that was
   * thrown away or begun anew.
   */
  entries(
    of: SavedStream,
    lineage: string,
    keys: readonly string[] | 'all',
  ): Promise<{ revision: bigint; found: Map<string, Value | null> } | undefined>
  /**
   * Saves now; 'superseded' when another process has saved this state or a later one, undefined when its subject was erased, or it
   * failed, which is counted, and logged once. What failed is tried again with growing pauses: until then undefined as well.
   */
  save(of: SavedStream, unsaved: Unsaved): Promise<SavedAt | 'superseded' | undefined>
  /**
   * Saves as soon as the writer gets to it, what `take` gives then, and calls `done` with the outcome. Nobody waits: what fails
   * is logged and counted, and what does not fit into the queue is left out, because the next event offers it again.
   */
  saveLater(of: SavedStream, take: () => Unsaved | undefined, done: (saved: SavedAt | 'superseded') => void): void
  discard(of: SavedStream, lineage: string): Promise<void>
  /** Called when the process is about to end: what is worth saving is to be offered then. */
  beforeEnd(offer: () => void): void
  /** Resolves when what was offered by the end is saved, or the time for it is over: what is not saved is folded again. */
  drain(): Promise<void>
  metrics(): Metric[]
}

export interface SnapshotsOptions {
  subjectKeys: Pick<SubjectKeys, 'current' | 'toUnlock'>
  box: Pick<SecretBox, 'fingerprint'>
  log: Logger
  /** How many streams may wait to be saved. */
  maxWaiting?: number
  /** How long a process that ends may take to save what is left. */
  drainMs?: number
  /** Milliseconds of any clock that only goes forward; only tests bring their own. */
  now?: () => number
}

const maxOutageMs = 10_000

const refOf = ({ stream, saving }: SavedStream): FoldRef => ({
  stream,
  decider: saving.decider,
  version: saving.version,
})

const nameOf = ({ stream, saving }: SavedStream) => `${stream} ${saving.decider}`

/** Snapshots in PostgreSQL. */
export const postgresSnapshots = ({ pool, ...options }: SnapshotsOptions & { pool: Pool }): Snapshots =>
  snapshotsIn(postgresTable(pool), options)

/** Snapshots in a table, written behind the appends by one writer a process. */
export const snapshotsIn = (
  table: SnapshotTable,
  { subjectKeys, box, log, maxWaiting = 5000, drainMs = 3000, now = () => performance.now() }: SnapshotsOptions,
): Snapshots => {
  const { sealState, openState, sealEntries, openEntries } = sealing(subjectKeys, box)
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

  /** Undefined where it cannot be opened and is thrown away; a key that cannot be asked for now says nothing about it. */
  const openedOrDiscarded = async <T>(
    of: SavedStream,
    lineage: string,
    complaint: string,
    open: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    try {
      const opened = await open()
      if (opened !== undefined) return opened
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      log.warn({ err: error }, complaint)
    }
    await discard(of, lineage)
    return undefined
  }

  /** Undefined where there is no key. */
  const encrypt = async (of: SavedStream, lineage: string, { standing, state }: Unsaved) => {
    const ref = refOf(of)
    const head = await sealState(ref, of.saving, lineage, standing, state)
    if (!head) return undefined
    const changed = hasEntries(state) ? state.entries.changed : []
    return { ...head, entries: await sealEntries(ref, of.saving, lineage, standing.owner, changed) }
  }

  const save: Snapshots['save'] = async (of, unsaved) => {
    const [ref, name] = [refOf(of), nameOf(of)]
    if (!failures.isDue(name)) return undefined
    const { standing, state, saved } = unsaved
    const clearings = hasEntries(state) ? state.entries.clearings : 0
    const lineage = saved?.clearings === clearings ? saved.lineage : newLineage()
    const follows = { follows: saved?.lineage, revision: standing.revision }
    let isOfTable = true
    try {
      // Before anything is encrypted for nothing.
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
    return { lineage, revision: standing.revision, clearings }
  }

  return {
    async load(of, upTo) {
      const ref = refOf(of)
      const row = await database.retryForAWhile(() => table.read(ref, upTo))
      if (!row) return undefined
      const complaint = 'a snapshot cannot be read: its stream is folded again'
      const opened = await openedOrDiscarded(of, row.lineage, complaint, () => openState(ref, row))
      if (!opened) return undefined
      const { standing, count } = opened
      const state = count === null ? opened.state : { ...(opened.state as object), entries: savedEntries(count) }
      return { standing, state, saved: { lineage: row.lineage, revision: standing.revision, clearings: 0 } }
    },

    async entries(of, lineage, keys) {
      const names = keys === 'all' ? keys : keys.map((key) => storedKey(of.saving, of, key, box))
      const read = await database.retryForAWhile(() => table.entries(refOf(of), lineage, names))
      if (!read) return undefined
      const complaint = 'entries of a snapshot cannot be read: the stream is folded again'
      const opened = await openedOrDiscarded(of, lineage, complaint, () => openEntries(lineage, read.entries))
      if (!opened) return undefined
      if (keys === 'all') return { revision: read.revision, found: opened }
      const found = new Map(keys.map((key, index) => [key, opened.get(names[index] ?? '') ?? null]))
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
