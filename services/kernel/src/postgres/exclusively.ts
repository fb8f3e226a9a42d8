import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { deriveId } from '../derive-id.ts'

const retryMilliseconds = 500

/** A 63-bit lock number that follows from a name. */
const lockNumber = (name: string): bigint => BigInt(`0x${deriveId('lock', name).replaceAll('-', '').slice(0, 15)}`)

/**
 * Runs `work` while this process alone holds the lock of that name, until `signal` aborts. A second process waits in line
 * and takes over within a second when the first ends or loses its connection: then `work`'s own signal aborts at once.
 * `onTrouble` hears why the lock was lost or the work failed before it is tried again.
 */
export const exclusively = async (
  url: string,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  onTrouble: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, application_name: 'prosa-lock', keepAlive: true })
    const lost = new AbortController()
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort(new Error('the connection that held the lock ended')))
    try {
      await client.connect()
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [lockNumber(name)])
      if (rows[0]?.held) await work(AbortSignal.any([signal, lost.signal]))
    } catch (error) {
      if (!signal.aborted) onTrouble(error)
    } finally {
      await client.end().catch(onTrouble)
    }
    if (!signal.aborted) await delay(retryMilliseconds, undefined, { signal }).catch(() => signal.aborted)
  }
}
