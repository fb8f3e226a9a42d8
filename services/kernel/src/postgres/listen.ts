import { once } from 'node:events'
import pg, { escapeIdentifier } from 'pg'
import { backoffMs } from '../async/backoff.ts'
import { serialQueue } from '../async/keyed-queue.ts'
import { pause } from '../async/pause.ts'

export interface ListenOptions {
  /** Notifications are missed from here on. */
  onLost?: () => void
  /** After each connect and heartbeat: nothing was missed until now. */
  onAlive?: () => void
  /** Interval and time-out; 5 s by default. */
  heartbeatMs?: number
}

interface Listener extends Pick<ListenOptions, 'onLost' | 'onAlive'> {
  channel: string
  onNotify: (payload: string | undefined) => void
}

interface Line {
  add(listener: Listener): void
  /** True when it was the last. */
  remove(listener: Listener): boolean
}

interface Connected {
  ask(statement: string): Promise<unknown>
  close(): Promise<void>
}

const oneAtATime = (client: pg.Client) => {
  const serially = serialQueue()
  return (statement: string): Promise<unknown> => serially(() => client.query(statement))
}

const backoff = { firstMs: 50, maxMs: 5000 }

const lines = new Map<string, Line>()

/**
 * Reconnects until the signal aborts. `onNotify` gets `undefined` after each connect, as notifications may be missed; callers also poll, so
 * failures are not reported. One connection per database: PostgreSQL wakes all listeners anyway.
 */
export const listen = (
  url: string,
  channel: string,
  onNotify: (payload: string | undefined) => void,
  signal: AbortSignal,
  { onLost, onAlive, heartbeatMs = 5000 }: ListenOptions = {},
): void => {
  if (signal.aborted) return
  const key = `${heartbeatMs} ${url}`
  const line = lines.get(key) ?? openLine(url, heartbeatMs)
  lines.set(key, line)
  const listener = { channel, onNotify, onLost, onAlive }
  line.add(listener)
  const leave = () => {
    if (line.remove(listener)) lines.delete(key)
  }
  signal.addEventListener('abort', leave, { once: true })
}

const clientFor = (url: string, heartbeatMs: number) =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: heartbeatMs,
    keepAlive: true,
    application_name: 'prosa-listen',
  })

const openLine = (url: string, heartbeatMs: number): Line => {
  const listeners = new Set<Listener>()
  const listening = new Set<Listener>()
  const closing = new AbortController()
  let connected: Connected | undefined

  const begin = async ({ ask }: Connected, those: readonly Listener[]) => {
    const channels = new Set(those.map(({ channel }) => channel))
    await ask([...channels].map((channel) => `listen ${escapeIdentifier(channel)}`).join(';'))
    for (const listener of those) {
      if (!listeners.has(listener)) continue
      listening.add(listener)
      listener.onNotify(undefined)
      listener.onAlive?.()
    }
  }

  const handOut = ({ channel, payload = '' }: pg.Notification) => {
    for (const listener of [...listening]) if (listener.channel === channel) listener.onNotify(payload)
  }

  const notifyAlive = () => {
    for (const listener of listening) listener.onAlive?.()
  }

  const notifyLost = () => {
    listening.clear()
    for (const listener of listeners) listener.onLost?.()
  }

  const stayConnected = async () => {
    let failures = 0
    while (!closing.signal.aborted) {
      const client = clientFor(url, heartbeatMs)
      const close = () => client.end().catch(() => undefined)
      let heartbeat: ReturnType<typeof setInterval> | undefined
      // 'end' follows each error; the loop awaits it.
      client.on('error', () => undefined)
      client.on('notification', handOut)
      const ended = once(client, 'end', { signal: closing.signal }).catch(() => undefined)
      try {
        await client.connect()
        const ask = oneAtATime(client)
        connected = { ask, close }
        await begin(connected, [...listeners])
        failures = 0
        heartbeat = setInterval(() => ask('select 1').then(notifyAlive, close), heartbeatMs)
        await ended
      } catch {
        failures++
      } finally {
        connected = undefined
        clearInterval(heartbeat)
        notifyLost()
        await close()
      }
      await pause(backoffMs(failures, backoff), closing.signal)
    }
  }

  return {
    add(listener) {
      listeners.add(listener)
      if (listeners.size === 1) void stayConnected()
      else if (connected) begin(connected, [listener]).catch(connected.close)
    },
    remove(listener) {
      listeners.delete(listener)
      listening.delete(listener)
      listener.onLost?.()
      if (listeners.size > 0) return false
      closing.abort()
      return true
    },
  }
}
