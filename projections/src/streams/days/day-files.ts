import { createHash, randomUUID } from 'node:crypto'
import { catalogue } from '@prosa/contracts/published/catalogue'
import { columnsOfType } from '@prosa/contracts/published/columns'
import { onlyOnce } from '@prosa/contracts/published/json-schema'
import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import { pause } from '@prosa/kernel/async/pause'
import type { Ports } from '@prosa/kernel/ports'
import { ReadingEnded } from '../read-events.ts'
import { folderOf, type MakeDeps, makeDay } from './make-day.ts'
import {
  beginDay,
  type DayFile,
  type DayOfReader,
  deleteDropped,
  dropDay,
  dropUnused,
  findDay,
  findDropped,
  findFiles,
  finishDay,
  noteAsked,
  touchDay,
} from './queries.ts'

export interface ReadyDay {
  id: string
  files: readonly DayFile[]
}

export interface DayFiles {
  /** Makes the day where nobody has; undefined while that takes longer than the reader waits. */
  ready(of: DayOfReader): Promise<ReadyDay | undefined>
  /** Resolves once nothing is being made. */
  idle(): Promise<void>
}

interface Deps extends MakeDeps, Pick<Ports, 'pool' | 'log'> {}

export interface DayFilesOptions {
  waitMs?: number
  /** Then a maker is taken for dead. */
  silentMs?: number
  /** Then files that nobody asks for are deleted. */
  unusedDays?: number
}

const touchMs = 10_000
const usualWaitMs = 20_000
const usualSilentMs = 60_000
const usualUnusedDays = 30
const pollMs = 250
/** Of a process, made one after the other. */
const maxWaiting = 8

/** Changes with the columns of any type: files of earlier columns are made anew. */
const contractNow = onlyOnce(() => {
  const columns = catalogue.map(({ type }) => [
    type,
    columnsOfType(type, { withPersonal: false }).map((column) => [column.name, column.type]),
  ])
  return createHash('sha256').update(JSON.stringify(columns)).digest('hex')
})

export const tidyDropped = async ({ pool, files }: Pick<Ports, 'pool' | 'files'>): Promise<void> => {
  for (const id of await findDropped(pool)) {
    await files.deleteAll(folderOf(id))
    await deleteDropped(pool, id)
  }
}

/** Of all processes one makes a day, and others wait for it. */
export const dayFiles = (
  deps: Deps,
  signal: AbortSignal,
  { waitMs = usualWaitMs, silentMs = usualSilentMs, unusedDays = usualUnusedDays }: DayFilesOptions = {},
): DayFiles => {
  const { pool, log } = deps
  const serially = serialQueue()
  const making = new Set<Promise<void>>()

  const make = async (id: string, of: DayOfReader): Promise<void> => {
    let touchedAt = performance.now()
    const mayGoOn = async () => {
      if (performance.now() - touchedAt < touchMs) return true
      touchedAt = performance.now()
      return touchDay(pool, id)
    }
    try {
      const files = await makeDay(deps, id, of, mayGoOn, signal)
      if (!signal.aborted && (await finishDay(pool, id, files))) return await tidyDropped(deps)
    } catch (error) {
      if (!(error instanceof ReadingEnded)) log.error({ err: error, day: of.day }, 'files of a day given up')
    }
    await dropDay(pool, id)
    await tidyDropped(deps)
  }
  const begin = async (of: DayOfReader): Promise<void> => {
    if (making.size >= maxWaiting) return
    // The store grows only here.
    await dropUnused(pool, unusedDays)
    const id = randomUUID()
    if (!(await beginDay(pool, id, of, contractNow()))) return
    // Alive while it waits for others.
    const waiting = setInterval(() => void touchDay(pool, id).catch(() => undefined), touchMs)
    const made = serially(() => make(id, of))
      .catch((error: unknown) => log.error({ err: error, day: of.day }, 'files of a day given up'))
      .finally(() => {
        clearInterval(waiting)
        making.delete(made)
      })
    making.add(made)
  }

  /** Or some time, as another process may make it. */
  const oneMade = async (): Promise<void> => {
    const waiting = new AbortController()
    await Promise.race([...making, pause(pollMs, AbortSignal.any([signal, waiting.signal]))])
    waiting.abort()
  }

  return {
    async ready(of) {
      const deadline = performance.now() + waitMs
      while (!signal.aborted) {
        const found = await findDay(pool, of)
        if (found?.status === 'ready' && found.contract === contractNow()) {
          await noteAsked(pool, found.id)
          return { id: found.id, files: await findFiles(pool, found.id) }
        }
        if (found?.status === 'ready' || (found && found.silentMs > silentMs)) await dropDay(pool, found.id)
        else if (!found) await begin(of)
        if (performance.now() >= deadline) return undefined
        await oneMade()
      }
      return undefined
    },
    async idle() {
      await Promise.all(making)
    },
  }
}
