import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { deriveId } from '../derive-id.ts'

const retryMilliseconds = 500
/** So many times the holder is heard of within the silence that costs it the lock. */
const timesHeard = 3
const partingMilliseconds = 2000

/** A 63-bit lock number that follows from a name. */
const lockNumber = (name: string): bigint => BigInt(`0x${deriveId('lock', name).replaceAll('-', '').slice(0, 15)}`)

export interface ExclusiveOptions {
  /** Hears why the lock was lost or the work failed, before it is tried again. */
  onTrouble: (error: unknown) => void
  /** A holder that the server has not heard of for so long is without the lock; 15 s unless said. */
  silenceMilliseconds?: number
}

/**
 * Work of which one process at a time is in charge. The signal aborts when that is over. A process that was frozen may
 * not have been told so yet: `isMine` knows by the process's own clock, and aborts the signal where it says no.
 */
export type ExclusiveWork = (signal: AbortSignal, isMine: () => boolean) => Promise<void>

/**
 * Runs `work` while this process alone holds the lock of that name, until `signal` aborts. A second process waits in
 * line and takes over within a second when the first ends or loses its connection, and after the silence when it is
 * frozen or cut off: the server then ends the session that holds the lock (`idle_session_timeout`, PostgreSQL 14 or
 * later). What the first still has in hand then must be harmless: what it stores, by its checkpoint; what it causes, by
 * ids that follow from events.
 */
export const exclusively = async (
  url: string,
  name: string,
  signal: AbortSignal,
  work: ExclusiveWork,
  { onTrouble, silenceMilliseconds = 15_000 }: ExclusiveOptions,
): Promise<void> => {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'prosa-lock',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: silenceMilliseconds,
    })
    const lost = new AbortController()
    let pulse: ReturnType<typeof setInterval> | undefined
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort(new Error('the connection that held the lock ended')))
    try {
      await client.connect()
      let heardAt = performance.now()
      const isMine = () => {
        if (!lost.signal.aborted && performance.now() - heardAt >= silenceMilliseconds)
          lost.abort(new Error('this process stood still, or was cut off, for too long to still hold the lock'))
        return !lost.signal.aborted
      }
      let isAsking = false
      const beat = async () => {
        if (isAsking || !isMine()) return
        isAsking = true
        const askedAt = performance.now()
        await client.query('select 1').then(
          () => {
            heardAt = askedAt
          },
          (error) => lost.abort(error),
        )
        isAsking = false
      }
      const { rows } = await client.query(
        `select set_config('idle_session_timeout', $1, false), pg_try_advisory_lock($2) as held`,
        [String(silenceMilliseconds), lockNumber(name)],
      )
      if (rows[0]?.held) {
        pulse = setInterval(beat, silenceMilliseconds / timesHeard)
        await work(AbortSignal.any([signal, lost.signal]), isMine)
        if (lost.signal.aborted && !signal.aborted) onTrouble(lost.signal.reason)
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error)
    } finally {
      clearInterval(pulse)
      // Of a connection that is half open no end would ever be heard.
      await Promise.race([client.end(), delay(partingMilliseconds, undefined, { ref: false })]).catch(onTrouble)
    }
    if (!signal.aborted) await delay(retryMilliseconds, undefined, { signal }).catch(() => signal.aborted)
  }
}
