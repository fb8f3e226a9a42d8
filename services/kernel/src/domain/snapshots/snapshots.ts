import type { Pool } from 'pg'
import { reachability } from '../../async/reachability.ts'
import type { Logger } from '../../observability/log.ts'
import type { Metric } from '../../observability/metric.ts'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import { transaction } from '../../postgres/pool.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'
import type { SubjectKeys } from '../../privacy/subject-keys.ts'
import type { Saving } from '../decider.ts'
import { hasEntries, savedEntries, type Value } from './entries.ts'
import * as table from './queries.ts'
import { newLineage, type Standing, sealing, storedKey } from './sealing.ts'

import { snapshotMetrics } from './snapshot-metrics.ts'
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
   * failed, which is logged and counted.
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
  pool: Pool
  subjectKeys: Pick<SubjectKeys, 'current' | 'toUnlock'>
  box: Pick<SecretBox, 'fingerprint'>
  log: Logger
  /** How many streams may wait to be saved. */
  mostWaiting?: number
}

/** PostgreSQL takes some 20 ms for so many. */
const entriesAtOnce = 2000
const maxOutageMilliseconds = 10_000

const refOf = ({ stream, saving }: SavedStream): table.FoldRef => ({
  stream,
  decider: saving.decider,
  version: saving.version,
})

/** Snapshots in PostgreSQL, written behind the appends by one writer a process. */
export const postgresSnapshots = ({ pool, subjectKeys, box, log, mostWaiting = 5000 }: SnapshotsOptions): Snapshots => {
  const { sealState, openState, sealEntries, openEntries } = sealing(subjectKeys, box)
  const database = reachability({
    complaint: 'the snapshots cannot be reached',
    isUnreachable,
    maxOutageMilliseconds,
    onTrouble: (error) => log.warn({ err: error }, 'snapshots are out of reach, will be asked again'),
  })
  const counted = { written: 0, failed: 0, dropped: 0, discarded: 0 }
  const writer = writeBehind(mostWaiting)

  const discard = async (of: SavedStream, lineage: string) => {
    counted.discarded += 1
    await transaction(pool, (db) => table.dropSnapshots(db, refOf(of), { lineage }))
  }

  const write: Snapshots['save'] = async (of, { standing, state, saved }) => {
    const ref = refOf(of)
    const entries = hasEntries(state) ? state.entries : undefined
    const isAnew = saved === undefined || saved.clearings !== (entries?.clearings ?? 0)
    const lineage = isAnew ? newLineage() : saved.lineage
    const head = await sealState(ref, of.saving, lineage, standing, state)
    if (!head) return undefined
    const rows = await sealEntries(ref, of.saving, lineage, standing.owner, entries?.changed ?? [])
    const isSaved = await transaction(pool, async (db) => {
      const newest = await table.holdNewest(db, ref)
      if (newest?.lineage !== saved?.lineage || (newest && newest.revision >= standing.revision)) return false
      if (isAnew) {
        if (saved) await table.dropSnapshots(db, ref, { lineage: saved.lineage })
        await table.dropSnapshots(db, ref, 'earlier versions')
      }
      await table.addSnapshot(db, ref, { revision: standing.revision, lineage, ...head })
      for (let start = 0; start < rows.length; start += entriesAtOnce)
        await table.putEntries(db, lineage, rows.slice(start, start + entriesAtOnce))
      await table.dropOlder(db, ref, standing.revision, entries === undefined)
      return true
    })
    if (!isSaved) return 'superseded'
    counted.written += 1
    return { lineage, revision: standing.revision, clearings: entries?.clearings ?? 0 }
  }

  const save: Snapshots['save'] = async (of, unsaved) => {
    try {
      return await write(of, unsaved)
    } catch (error) {
      counted.failed += 1
      log.warn({ err: error }, 'a snapshot was not saved: the next start folds more events')
      return undefined
    }
  }

  return {
    async load(of, upTo) {
      const ref = refOf(of)
      const row = await database.retryForAWhile(() => table.readSnapshot(pool, ref, upTo ?? null))
      if (!row) return undefined
      const opened = await openState(ref, row).catch((error: unknown) => {
        log.warn({ err: error }, 'a snapshot cannot be read: its stream is folded again')
        return undefined
      })
      if (!opened) {
        await discard(of, row.lineage)
        return undefined
      }
      const { standing, count } = opened
      const state = count === null ? opened.state : { ...(opened.state as object), entries: savedEntries(count) }
      return { standing, state, saved: { lineage: row.lineage, revision: standing.revision, clearings: 0 } }
    },

    async entries(of, lineage, keys) {
      const names = keys === 'all' ? keys : keys.map((key) => storedKey(of.saving, of, key, box))
      const read = await database.retryForAWhile(() => table.readEntries(pool, refOf(of), lineage, names))
      if (!read) return undefined
      const opened = await openEntries(lineage, read.entries).catch((error: unknown) => {
        log.warn({ err: error }, 'entries of a snapshot cannot be read: the stream is folded again')
        return undefined
      })
      if (!opened) {
        await discard(of, lineage)
        return undefined
      }
      if (keys === 'all') return { revision: read.revision, found: opened }
      const found = new Map(keys.map((key, index) => [key, opened.get(names[index] ?? '') ?? null]))
      return { revision: read.revision, found }
    },

    save,
    discard,

    saveLater(of, take, done) {
      const isOffered = writer.offer(`${of.stream} ${of.saving.decider}`, async () => {
        const unsaved = take()
        const saved = unsaved && (await save(of, unsaved))
        if (saved) done(saved)
      })
      if (!isOffered) counted.dropped += 1
    },

    beforeEnd: writer.beforeEnd,
    drain: writer.drain,
    metrics: () => snapshotMetrics(counted, writer.waiting()),
  }
}
