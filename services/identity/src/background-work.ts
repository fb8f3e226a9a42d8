import type { Logger } from '@prosa/kernel/observability/log'

/** Shutdown waits for this work; replies do not. */
export interface BackgroundWork {
  start(what: string, work: () => Promise<unknown>): void
  settled(): Promise<void>
}

/** Only logs failures: users can request again. */
export const backgroundWork = (log: Logger): BackgroundWork => {
  const open = new Set<Promise<void>>()
  return {
    start(what, work) {
      const running = work().then(
        () => undefined,
        (error: unknown) => log.error({ err: error }, `${what} failed`),
      )
      open.add(running)
      void running.then(() => open.delete(running))
    },
    async settled() {
      await Promise.all(open)
    },
  }
}
