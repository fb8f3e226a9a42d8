import { backoffMs } from '../../async/backoff.ts'
import { lruMap } from '../../lru-map.ts'
import type { Logger } from '../../observability/log.ts'

/** Backoff of failed saves; logs each once, not per command. */
export interface SaveFailures {
  isDue(fold: string): boolean
  /** `isOfTable`: other saves would fail too. */
  failed(fold: string, error: unknown, isOfTable: boolean): void
  /** Its subject was erased. */
  hadNoKey(fold: string): void
  succeeded(fold: string): void
  /** Recent ones only. */
  failing(): number
  /** On shutdown: retry now. */
  forgetPauses(): void
}

const pauses = { firstMs: 1000, maxMs: 60_000, spread: 0 }
const maxFolds = 10_000
/** Without a retry for so long there was no command: no alarm. */
const failingMs = 600_000
/** Others are only counted: names may contain numbers. */
const maxKinds = 20

interface Failure {
  failures: number
  until: number
  hasKey: boolean
}

const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(typeof error)
  return 'code' in error ? `${error.name} ${error.code}` : error.name
}

/** `now`: monotonic milliseconds. */
export const saveFailures = (log: Logger, now: () => number): SaveFailures => {
  const folds = lruMap<string, Failure>(maxFolds)
  let table: Failure | undefined
  let logged = new Set<string>()

  const after = (before: Failure | undefined, hasKey: boolean): Failure => {
    const failures = before?.failures ?? 0
    return { failures: failures + 1, until: now() + backoffMs(failures, pauses, 1), hasKey }
  }
  const isOver = (failure: Failure | undefined) => !failure || failure.until <= now()
  const isFirst = (kind: string) => {
    if (logged.has(kind) || logged.size >= maxKinds) return false
    logged.add(kind)
    return true
  }
  const isFailing = (failure: Failure | undefined) => failure?.hasKey === true && now() - failure.until < failingMs
  const failing = () => folds.keys().filter((fold) => isFailing(folds.get(fold))).length

  return {
    isDue: (fold) => isOver(table) && isOver(folds.get(fold)),
    failed(fold, error, isOfTable) {
      folds.set(fold, after(folds.get(fold), true))
      if (isOfTable) table = after(table, true)
      if (isFirst(kindOf(error)))
        log.warn({ err: error, fold }, 'a snapshot was not saved: it is tried again with growing pauses')
    },
    hadNoKey(fold) {
      folds.set(fold, after(folds.get(fold), false))
      if (isFirst('no key')) log.info({ fold }, 'a snapshot was not saved: its subject has no key any more')
    },
    succeeded(fold) {
      const wasFailing = table !== undefined || folds.get(fold)?.hasKey === true
      table = undefined
      folds.delete(fold)
      if (!wasFailing || failing() > 0) return
      logged = new Set()
      log.info('snapshots are saved again')
    },
    failing,
    forgetPauses() {
      table = undefined
      for (const fold of folds.keys()) {
        const failure = folds.get(fold)
        if (failure) folds.set(fold, { ...failure, until: Number.NEGATIVE_INFINITY })
      }
    },
  }
}
