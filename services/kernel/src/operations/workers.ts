import type { Logger } from '../observability/log.ts'

export interface Workers {
  /** Must not end before `finish`. */
  add(name: string, work: Promise<void>): void
  /** Rejects with the first failure. */
  finish(): Promise<void>
  unfinished(): string[]
  /** Names of work that ended by itself. */
  ended(): readonly string[]
}

/** `onEnd` reports work that ended by itself, which is a fault. */
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
