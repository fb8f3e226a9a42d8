import type { Logger } from '../observability/log.ts'

/** Ends things one after the other. */
export interface Drain {
  /** Runs one step; when it fails that is logged and the next may begin all the same. */
  step(name: string, work: () => Promise<void>): Promise<void>
  /** Steps that have begun and not ended. */
  unfinished(): string[]
  /** Throws what failed first. */
  throwFailure(): void
}

export const drain = (log: Logger): Drain => {
  const under = new Set<string>()
  const failures: unknown[] = []
  return {
    async step(name, work) {
      under.add(name)
      try {
        await work()
      } catch (error) {
        failures.push(error)
        log.error({ step: name, err: error }, 'did not end as it should')
      }
      under.delete(name)
    },
    unfinished: () => [...under],
    throwFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
