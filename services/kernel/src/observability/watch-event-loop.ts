import { Histogram, type Registry } from 'prom-client'
import type { Logger } from './log.ts'
import type { WorkInProgress } from './work-in-progress.ts'

/** Shorter blocks may be missed. */
const everyMs = 100
const alertMs = 1000

export interface WatchDeps {
  log: Logger
  registry: Registry
  work: WorkInProgress
  stopwatch?: () => number
}

export interface EventLoopWatch {
  /** For tests. */
  look(): void
  stop(): void
}

/** Measures how late a timer fires; logs the current work after a block of a second. */
export const watchEventLoop = ({
  log,
  registry,
  work,
  stopwatch = () => performance.now(),
}: WatchDeps): EventLoopWatch => {
  const delays = new Histogram({
    name: 'prosa_event_loop_delay_seconds',
    help: 'How much later than it was due a timer fired that is due ten times a second: nobody was answered meanwhile.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  let lookedAt = stopwatch()
  const look = () => {
    const now = stopwatch()
    const delayMs = Math.max(0, now - lookedAt - everyMs)
    lookedAt = now
    delays.observe(delayMs / 1000)
    if (delayMs >= alertMs) log.warn({ delayMs: Math.round(delayMs), running: work.since() }, 'event loop blocked')
    work.mark()
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
