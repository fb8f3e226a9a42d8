import type { Logger } from '../observability/log.ts'

/** What runs as long as the process: services, reactors, timers. */
export interface Workers {
  /** Work that is to end only once it was asked to. */
  add(name: string, work: Promise<void>): void
  /** From here on work may end; resolves when all of it has, and rejects with what failed first. */
  finish(): Promise<void>
  unfinished(): string[]
  /** What ended although nobody had asked. */
  ended(): readonly string[]
}

/** `onEnd` is called when work ends by itself, which is a fault of ours; the cause is logged. */
export const workers = (log: Logger, onEnd: (name: string) => void): Workers => {
  const running = new Map<string, Promise<void>>()
  const ended: string[] = []
  let isFinishing = false

  return {
    add(name, work) {
      const watched = work.finally(() => {
        running.delete(name)
        if (!isFinishing) ended.push(name)
      })
      running.set(name, watched)
      watched.then(
        () => {
          if (isFinishing) return
          log.fatal({ worker: name }, 'ended by itself')
          onEnd(name)
        },
        (error: unknown) => {
          log.fatal({ worker: name, err: error }, 'failed')
          onEnd(name)
        },
      )
    },
    async finish() {
      isFinishing = true
      const results = await Promise.allSettled(running.values())
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
    unfinished: () => [...running.keys()],
    ended: () => ended,
  }
}
