import type { Logger } from '@prosa/kernel/observability/log'

/** Work that no reply waits for, but the end of the process does. */
export interface BackgroundWork {
  start(what: string, work: () => Promise<unknown>): void
  settled(): Promise<void>
}

/** What fails is logged and lost: only for work that a person would simply ask for again. */
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
