import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Position } from '../../event-store/port.ts'
import { listen } from '../../postgres/listen.ts'
import { type Checkpoint, readAnnouncement } from '../engine/announcement.ts'
import { allCheckpoints, checkpointChannel, rebuildOf } from '../engine/checkpoints.ts'
import { loadParkedTenants, parkedTenants } from './parking/parked-tenants.ts'
import { neverBuilt, unbuilt } from './prepare-read-model.ts'
import { tenantVersions } from './tenant-versions.ts'
import { askForPositions } from './wanted-positions.ts'

/** Positions and changes of read models, without a query. */
export interface ReadModelGate {
  /** False on time-out, or at once during a rebuild, as rows do not move. */
  reached(readModels: readonly string[], position: Position, timeoutMs: number): Promise<boolean>
  position(readModel: string): Position | undefined
  /**
   * Opaque; new after each change of the tenant's rows. Later reads are of this version or newer. Undefined while changes may be missed.
   */
  version(readModel: string, tenant: string): string | undefined
  /** True when an unfoldable event parked the tenant: its rows lag behind the position. */
  isParked(readModels: readonly string[], tenant: string): boolean
  /** Rows are missing as the read model is newer than the log; all while unknown. */
  unbuilt(readModels: readonly string[]): string[]
  /** Of those, where none was ever built over this log: nothing can be shown instead. */
  neverBuilt(readModels: readonly string[]): string[]
  /** Called when a tenant is unparked: all its rows may be new. */
  onResumed(listener: (tenant: string) => void): void
}

interface Waiter {
  readModels: readonly string[]
  position: Position
  done: (reached: boolean) => void
}

const pollMs = 1000
/** The poll may see a change before its notification arrives. */
const graceMs = 250

/** Who waits for positions of which read models. */
const waitingReaders = () => {
  const checkpoints = new Map<string, Omit<Checkpoint, 'name'>>()
  const waiters = new Set<Waiter>()

  const shown = ({ readModels, position }: Pick<Waiter, 'readModels' | 'position'>) =>
    readModels.every((name) => (checkpoints.get(name)?.position ?? '') >= position)

  const isUnbuilt = (name: string) => (checkpoints.get(name)?.version ?? unbuilt + 1) <= unbuilt

  const isRebuilt = (readModels: readonly string[]) =>
    readModels.some((name) => checkpoints.has(rebuildOf(name)) || isUnbuilt(name))

  const advance = ({ name, version, position }: Checkpoint) => {
    checkpoints.set(name, { version, position })
    // The live table gets no writes during a rebuild: it is over.
    checkpoints.delete(rebuildOf(name))
    for (const waiter of waiters) {
      if (shown(waiter)) waiter.done(true)
      else if (isRebuilt(waiter.readModels)) waiter.done(false)
    }
  }

  const missed = () => {
    const names = new Set<string>()
    for (const { readModels, position } of waiters)
      for (const name of readModels) if (!shown({ readModels: [name], position })) names.add(name)
    return names
  }

  const reached = (
    readModels: readonly string[],
    position: Position,
    timeoutMs: number,
    onWait: () => void,
  ): Promise<boolean> => {
    if (shown({ readModels, position })) return Promise.resolve(true)
    if (isRebuilt(readModels)) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.done(false), timeoutMs)
      const waiter: Waiter = {
        readModels,
        position,
        done(reached) {
          clearTimeout(timer)
          waiters.delete(waiter)
          resolve(reached)
        },
      }
      waiters.add(waiter)
      onWait()
    })
  }

  return { checkpoints, isUnbuilt, advance, missed, reached }
}

/** LISTEN with a safety poll, until the signal aborts. */
export const readModelGate = (
  pool: Pool,
  url: string,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): ReadModelGate => {
  const { checkpoints, isUnbuilt, advance, missed, reached } = waitingReaders()
  /** Number of updates, to detect stale reads. */
  const updates = new Map<string, number>()
  const versions = tenantVersions()
  const parked = parkedTenants()
  let isLoaded = false
  const countUpdate = (name: string) => updates.set(name, (updates.get(name) ?? 0) + 1)

  const receive = (payload: string) => {
    const { name, version, position, parking, ...takeSettled } = readAnnouncement(payload)
    countUpdate(name)
    // Versions before positions: a waiter must not get "unchanged".
    versions.receive({ name, ...takeSettled })
    if (parking) parked.change(name, parking)
    if (position !== undefined) advance({ name, version, position })
  }

  const asking = askForPositions(pool, missed, signal, onTrouble)

  const isChanged = ({ name, version, position }: Checkpoint) => {
    const known = checkpoints.get(name)
    return known?.position !== position || known.version !== version
  }

  /** Finds missed notifications. */
  const readAgain = async (waitMs: number) => {
    const before = new Map(updates)
    const changes = parked.changes()
    const stillParked = await loadParkedTenants(pool)
    if (parked.changes() === changes) parked.replace(stillParked)
    const all = await allCheckpoints(pool)
    const existing = new Set(all.map(({ name }) => name))
    const isOvertaken = (name: string) => updates.get(name) !== before.get(name)
    for (const name of before.keys()) if (!existing.has(name) && !isOvertaken(name)) checkpoints.delete(name)
    const changed = all.filter(isChanged)
    if (changed.some(({ name }) => checkpoints.has(name)))
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    isLoaded = true
    for (const found of changed) {
      if (isOvertaken(found.name)) continue
      countUpdate(found.name)
      versions.missed(found.name)
      advance(found)
    }
  }
  const poll = (waitMs: number) => void readAgain(waitMs).catch(onTrouble)

  const onNotify = (payload: string | undefined) => {
    try {
      if (payload !== undefined) return receive(payload)
    } catch (error) {
      // Possibly from another release; counts as missed.
      onTrouble(error)
    }
    versions.begin()
    poll(0)
  }

  listen(url, checkpointChannel, onNotify, signal, { onLost: versions.lose })
  const timer = setInterval(() => poll(graceMs), pollMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  poll(0)

  return {
    position: (name) => checkpoints.get(name)?.position,
    version: versions.version,
    isParked: parked.isParked,
    unbuilt: (readModels) => readModels.filter((name) => !checkpoints.has(name) || isUnbuilt(name)),
    neverBuilt: (readModels) => readModels.filter((name) => !isLoaded || checkpoints.get(name)?.version === neverBuilt),
    onResumed: parked.onResumed,
    reached: (readModels, position, timeoutMs) => reached(readModels, position, timeoutMs, asking.soon),
  }
}
