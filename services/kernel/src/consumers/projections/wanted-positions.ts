import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { listen } from '../../postgres/listen.ts'

/** Payload: names of read models, with commas. */
const wantedChannel = 'prosa_position_wanted'

/** Over irrelevant events, while nobody waits. */
const usualIdleMs = 2000
/** While somebody waits. */
const soonMs = 5
/** One waiter is seldom alone, and its event may not have been read yet. */
const wantedForMs = 1000

/** Which read models' checkpoints somebody waits for: each move is a write, and most moves over irrelevant events nobody sees. */
export interface WantedPositions {
  /** How long the checkpoint may stay behind irrelevant events. */
  passingMs(readModel: string): number
  onWanted(readModel: string, listener: () => void, until: AbortSignal): void
}

export const wantedPositions = (url: string, signal: AbortSignal, idleMs = usualIdleMs): WantedPositions => {
  const wanted = new EventEmitter()
  wanted.setMaxListeners(0)
  const untilOf = new Map<string, number>()
  /** Requests may be missed before this, so that everything counts as wanted. */
  let isListening = false
  const onNotify = (payload: string | undefined) => {
    if (payload === undefined) {
      isListening = true
      return
    }
    for (const name of payload.split(',')) {
      untilOf.set(name, performance.now() + wantedForMs)
      wanted.emit(name)
    }
  }
  const onLost = () => {
    isListening = false
    for (const name of wanted.eventNames()) wanted.emit(name)
  }
  listen(url, wantedChannel, onNotify, signal, { onLost })
  return {
    passingMs: (name) => (isListening && (untilOf.get(name) ?? 0) < performance.now() ? idleMs : soonMs),
    onWanted(name, listener, until) {
      wanted.on(name, listener)
      until.addEventListener('abort', () => wanted.off(name, listener), { once: true })
    },
  }
}

/** A read model that the event concerns has moved by then. */
const askAfterMs = 8
const askAgainMs = 500

/** Asks the processes that keep them to move the checkpoints of the `missed` read models over what does not concern these. */
export const askForPositions = (
  pool: Pool,
  missed: () => ReadonlySet<string>,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): { soon(): void } => {
  const askedAt = new Map<string, number>()
  let isScheduled = false
  const ask = (names: ReadonlySet<string>) => {
    const now = performance.now()
    const due = [...names].filter((name) => now - (askedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= askAgainMs)
    if (due.length === 0) return
    for (const name of due) askedAt.set(name, now)
    const text = `select pg_notify('${wantedChannel}', $1)`
    void pool.query({ name: 'positions wanted', text, values: [due.join(',')] }).catch(onTrouble)
  }
  const soon = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      if (signal.aborted) return
      const names = missed()
      ask(names)
      if (names.size > 0) soon()
    }, askAfterMs)
  }
  return { soon }
}
