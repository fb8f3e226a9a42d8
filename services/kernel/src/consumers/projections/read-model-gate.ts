import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Position } from '../../event-store/port.ts'
import { listen } from '../../postgres/listen.ts'
import { type Checkpoint, readAnnouncement } from '../engine/announcement.ts'
import { allCheckpoints, checkpointChannel, rebuildOf } from '../engine/checkpoints.ts'
import { loadParkedTenants, parkedTenants } from './parked-tenants.ts'
import { unbuilt } from './prepare-read-model.ts'
import { tenantVersions } from './tenant-versions.ts'

/** Knows how far each read model has got, and whose rows of it have changed, without asking the database. */
export interface ReadModelGate {
  /**
   * True as soon as all of them show everything up to the position; false when the time is over first, or at once where one
   * of them is being rebuilt: what is shown then stands still for longer than anybody should wait.
   */
  reached(readModels: readonly string[], position: Position, timeoutMs: number): Promise<boolean>
  /** How far one read model is known to be. */
  position(readModel: string): Position | undefined
  /**
   * Opaque text that is new whenever rows of this tenant have changed, and was never used before the change. A reply that was
   * read after asking for it shows that version or a later one. Undefined while changes may be missed.
   */
  version(readModel: string, tenant: string): string | undefined
  /**
   * Whether rows of this tenant stand still in one of these read models, because an event of it could not be folded: positions
   * are reached there without being shown to it.
   */
  isParked(readModels: readonly string[], tenant: string): boolean
  /** Those of these read models whose rows are not there yet, since the read model is newer than the log; before it is known, too. */
  unbuilt(readModels: readonly string[]): string[]
  /** The listener is called with each tenant that a read model serves again: everything it shows may be new. */
  onResumed(listener: (tenant: string) => void): void
}

interface Waiter {
  readModels: readonly string[]
  position: Position
  done: (reached: boolean) => void
}

const pollMs = 1000
/** An announcement may still be on its way when the poll already sees what it announces. */
const graceMs = 250

/** Follows the checkpoints by LISTEN with a safety poll, until the signal aborts. */
export const readModelGate = (
  pool: Pool,
  url: string,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): ReadModelGate => {
  const checkpoints = new Map<string, Omit<Checkpoint, 'name'>>()
  /** How often each checkpoint was updated, to know what has been overtaken. */
  const updates = new Map<string, number>()
  const versions = tenantVersions()
  const parked = parkedTenants()
  const waiters = new Set<Waiter>()

  const shown = ({ readModels, position }: Pick<Waiter, 'readModels' | 'position'>) =>
    readModels.every((name) => (checkpoints.get(name)?.position ?? '') >= position)

  const isUnbuilt = (name: string) => checkpoints.get(name)?.version === unbuilt

  const isRebuilt = (readModels: readonly string[]) =>
    readModels.some((name) => checkpoints.has(rebuildOf(name)) || isUnbuilt(name))

  const countUpdate = (name: string) => updates.set(name, (updates.get(name) ?? 0) + 1)

  const advance = ({ name, version, position }: Checkpoint) => {
    checkpoints.set(name, { version, position })
    // Nothing is written for readers while a rebuild goes on: this one is over.
    checkpoints.delete(rebuildOf(name))
    for (const waiter of waiters) {
      if (shown(waiter)) waiter.done(true)
      else if (isRebuilt(waiter.readModels)) waiter.done(false)
    }
  }

  const receive = (payload: string) => {
    const { name, version, position, parking, ...rest } = readAnnouncement(payload)
    countUpdate(name)
    // First whose rows are new, then how far: whoever waited for the position must not be answered that nothing changed.
    versions.receive({ name, ...rest })
    if (parking) parked.change(name, parking)
    if (position !== undefined) advance({ name, version, position })
  }

  const isChanged = ({ name, version, position }: Checkpoint) => {
    const known = checkpoints.get(name)
    return known?.position !== position || known.version !== version
  }

  /** Finds what no announcement contained; what is announced meanwhile was read too early. */
  const readAgain = async (waitMs: number) => {
    const before = new Map(updates)
    const changes = parked.changes()
    const standingStill = await loadParkedTenants(pool)
    // What was announced meanwhile is newer than what was read.
    if (parked.changes() === changes) parked.replace(standingStill)
    const all = await allCheckpoints(pool)
    const standing = new Set(all.map(({ name }) => name))
    const isOvertaken = (name: string) => updates.get(name) !== before.get(name)
    for (const name of before.keys()) if (!standing.has(name) && !isOvertaken(name)) checkpoints.delete(name)
    const changed = all.filter(isChanged)
    if (changed.some(({ name }) => checkpoints.has(name)))
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
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
      // Sent by a process of another release, perhaps. An unreadable announcement counts as having missed it.
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
    onResumed: parked.onResumed,
    reached(readModels, position, timeoutMs) {
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
      })
    },
  }
}
