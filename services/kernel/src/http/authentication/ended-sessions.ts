import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { retry } from '../../async/retry.ts'
import type { Logger } from '../../observability/log.ts'
import { listen } from '../../postgres/listen.ts'
import { tokenSeconds } from './session-token.ts'

/** Written by the trigger `note_ended_session`; payload: the session's id. */
const endedChannel = 'prosa_session_ended'
/** A token outlives its session by no more, the skew of clocks included. */
const memorySeconds = 2 * tokenSeconds
const retryMs = 500
/** A connection that hangs is noticed after two at most: until then an ended session's token passes. */
const heartbeatMs = 900

export interface EndedSessions {
  /** True while every end is received: then memory is enough. */
  isCurrent(): boolean
  /** Of the last two minutes, from memory. */
  endedLately(sessionId: string): boolean
  /** However long ago; by a query while ends are not received. */
  hasEnded(sessionId: string): Promise<boolean>
  /** By a query, whatever memory knows. */
  isNoted(sessionId: string): Promise<boolean>
  /** At least once for each. */
  onEnded(listener: (sessionId: string) => void): void
}

export interface EndedSessionsDeps {
  pool: Pool
  databaseUrl: string
  log: Logger
  signal: AbortSignal
}

/** Knows which sessions ended, and nothing else of them: tokens say the rest. */
export const endedSessions = ({ pool, databaseUrl, log, signal }: EndedSessionsDeps): EndedSessions => {
  const ended = new EventEmitter()
  /** Oldest first; values in monotonic ms. */
  const lately = new Map<string, number>()
  /** Counts connections; of the present one, once what ended before it is known. */
  let connection = 0
  let caughtUp: number | undefined
  let lostAt = performance.now()

  const note = (sessionId: string) => {
    const now = performance.now()
    lately.delete(sessionId)
    lately.set(sessionId, now)
    for (const [oldest, at] of lately) {
      if (at > now - memorySeconds * 1000) break
      lately.delete(oldest)
    }
    ended.emit('ended', sessionId)
  }

  const catchUp = async (connected: number) => {
    const missedSeconds = (performance.now() - lostAt) / 1000 + memorySeconds
    const { rows } = await pool.query<{ id: string }>(
      'select id from ended_session where ended_at > now() - make_interval(secs => $1) order by ended_at',
      [missedSeconds],
    )
    for (const { id } of rows) note(id)
    if (connected === connection) caughtUp = connected
  }

  const onNotify = (sessionId: string | undefined) => {
    if (sessionId !== undefined) return note(sessionId)
    const connected = ++connection
    const isOver = () => connected !== connection
    void retry(() => (isOver() ? Promise.resolve() : catchUp(connected)), {
      signal,
      pauseAfter: () => retryMs,
      onFailure: (error) => log.warn({ err: error }, 'ended sessions could not be read'),
    })
  }
  const onLost = () => {
    if (caughtUp !== undefined) lostAt = performance.now()
    connection++
    caughtUp = undefined
  }
  listen(databaseUrl, endedChannel, onNotify, signal, { onLost, heartbeatMs })

  const isNoted = async (sessionId: string) => {
    const { rows } = await pool.query({
      name: 'ended session',
      text: 'select 1 from ended_session where id = $1',
      values: [sessionId],
    })
    return rows.length > 0
  }

  return {
    isCurrent: () => caughtUp !== undefined,
    endedLately: (sessionId) => lately.has(sessionId),
    hasEnded: async (sessionId) => lately.has(sessionId) || (caughtUp === undefined && (await isNoted(sessionId))),
    isNoted,
    onEnded: (listener) => void ended.on('ended', listener),
  }
}
