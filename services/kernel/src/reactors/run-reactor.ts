import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Codec, Stored } from '../event-store/codec.ts'
import { beginning, type EventStore, type Position } from '../event-store/port.ts'
import type { Logger } from '../log.ts'
import { exclusively } from '../postgres/exclusively.ts'
import { loadCheckpoint, saveCheckpoint } from '../read-models/checkpoints.ts'
import type { Reactor } from './reactor.ts'

export interface ReactorDeps {
  store: EventStore
  codec: Codec
  pool: Pool
  databaseUrl: string
  log: Logger
}

/** Reactors in trouble, by name: how many keys wait for another try, and the latest reason. */
export type ReactorHealth = Map<string, { failing: number; reason: string }>

const maxInFlight = 1000
const saveEveryMilliseconds = 200
const longestPauseMilliseconds = 10_000

/** Runs a reactor from its checkpoint until the signal aborts, in one process at a time. */
export const runReactor = (
  reactor: Reactor,
  { store, codec, pool, databaseUrl, log }: ReactorDeps,
  signal: AbortSignal,
  health: ReactorHealth,
): Promise<void> => {
  const troubled = (error: unknown) => log.warn({ reactor: reactor.name, err: error }, 'reactor interrupted')

  const untilDone = async (event: Stored, until: AbortSignal): Promise<boolean> => {
    const handler = reactor.on[event.type] as ((event: Stored) => Promise<void>) | undefined
    if (!handler) return true
    for (let attempt = 0; !until.aborted; attempt++) {
      try {
        await handler(event)
        if (attempt > 0) health.delete(reactor.name)
        return true
      } catch (error) {
        if (until.aborted) return false
        health.set(reactor.name, { failing: 1, reason: error instanceof Error ? error.name : 'unknown' })
        log.error(
          { reactor: reactor.name, event: event.id, position: event.position, attempt, err: error },
          'reactor failed, will try again',
        )
        const pause = Math.min(100 * 2 ** attempt, longestPauseMilliseconds) * (0.5 + Math.random() / 2)
        await delay(pause, undefined, { signal: until }).catch(() => until.aborted)
      }
    }
    return false
  }

  const work = async (until: AbortSignal) => {
    const version = 1
    let saved = await loadCheckpoint(pool, reactor.name, version)
    const chains = new Map<string, Promise<boolean>>()
    /** In log order; a checkpoint may only pass what is finished, and everything before it. */
    const started: { position: Position; finished: boolean }[] = []
    let reachable = saved
    let wake: (() => void) | undefined

    const settle = () => {
      let done = 0
      while (started[done]?.finished) done++
      const last = done > 0 ? started.splice(0, done).at(-1) : undefined
      if (last) reachable = last.position
      wake?.()
    }
    const save = async () => {
      if (reachable === saved || reachable === beginning) return
      const position = reachable
      await saveCheckpoint(pool, reactor.name, version, position)
      saved = position
    }
    const start = (event: Stored) => {
      const key = reactor.key(event)
      const entry = { position: event.position, finished: false }
      started.push(entry)
      const chain = (chains.get(key) ?? Promise.resolve(true)).then((goOn) => goOn && untilDone(event, until))
      chains.set(key, chain)
      void chain.then((finished) => {
        if (chains.get(key) === chain) chains.delete(key)
        entry.finished = finished
        settle()
      })
    }

    let saving: Promise<void> | undefined
    const timer = setInterval(() => {
      saving ??= save()
        .catch(troubled)
        .finally(() => {
          saving = undefined
        })
    }, saveEveryMilliseconds)
    try {
      for await (const { events, upTo } of store.subscribe(saved, { categories: reactor.categories }, until)) {
        for (const event of await codec.decode(events)) {
          while (started.length >= maxInFlight && !until.aborted)
            await new Promise<void>((resolve) => {
              wake = resolve
              until.addEventListener('abort', () => resolve(), { once: true })
            })
          if (reactor.on[event.type]) start(event)
        }
        started.push({ position: upTo, finished: true })
        settle()
      }
      await Promise.all(chains.values())
      settle()
    } finally {
      clearInterval(timer)
      await saving
      await save().catch(troubled)
    }
  }

  return exclusively(databaseUrl, `reactor ${reactor.name}`, signal, work, troubled)
}
