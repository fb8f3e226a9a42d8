import type { Logger } from '../observability/log.ts'

export interface Drain {
  /** A failure is logged and does not stop later steps. */
  step(name: string, work: () => Promise<void>): Promise<void>
  unfinished(): string[]
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
        log.error({ step: name, err: error }, 'shutdown step failed')
      }
      under.delete(name)
    },
    unfinished: () => [...under],
    throwFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
