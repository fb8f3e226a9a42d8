import type { Pool } from 'pg'
import type { Reachability } from '../../async/reachability.ts'
import type { AppendRequest } from '../append-request.ts'
import { InvalidAppend } from '../port.ts'
import { type AppendBatcher, appendBatcher } from './append-batcher.ts'
import { type CommitMetrics, commitMetrics } from './commit-metrics.ts'
import { isRefused } from './is-refused.ts'
import type { LogTail } from './log-tail.ts'
import { appendAll, rowsOf } from './queries.ts'

export interface Committer extends AppendBatcher, Pick<CommitMetrics, 'metrics'> {
  /** Undefined: notifications may have been missed. */
  onAnnounced(upTo: string | undefined): void
}

export const committer = (appender: Pool, server: Reachability, tail: LogTail): Committer => {
  const commits = commitMetrics()
  let isCommitting = false
  /** Head notified during our own commit, most likely by it. */
  let announced = 0

  const commit = async (requests: readonly AppendRequest[]) => {
    isCommitting = true
    try {
      const results = await server.retryForAWhile(() => appendAll(appender, requests))
      commits.made(requests)
      const rows = rowsOf(requests, results)
      if (rows.length > 0) tail.committed(rows)
      // Stored by an earlier try whose answer was lost.
      else tail.wake()
      return results
    } catch (error) {
      commits.failed()
      tail.wake()
      throw isRefused(error) ? new InvalidAppend('PostgreSQL refused the append', { cause: error }) : error
    } finally {
      isCommitting = false
      tail.wake(announced)
    }
  }

  return {
    ...appendBatcher(commit),
    metrics: commits.metrics,
    onAnnounced: (upTo) => {
      if (isCommitting && upTo) announced = Math.max(announced, Number(upTo))
      else tail.wake(upTo ? Number(upTo) : undefined)
    },
  }
}
