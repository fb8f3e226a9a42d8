import { once } from 'node:events'
import pg, { escapeIdentifier } from 'pg'
import { backoffMs } from '../async/backoff.ts'
import { serialQueue } from '../async/keyed-queue.ts'
import { pause } from '../async/pause.ts'

export interface ListenOptions {
  /** Called when the connection is gone, before another one is made: from here on notifications are missed. */
  onLost?: () => void
  /** Called after every connect, and with every heartbeat that was answered: nothing was missed up to now. */
  onAlive?: () => void
  /** How often the connection is asked whether it still lives, and how long it may take to answer; 5 s by default. */
  heartbeatMs?: number
}

interface Listener extends Pick<ListenOptions, 'onLost' | 'onAlive'> {
  channel: string
  onNotify: (payload: string | undefined) => void
}

interface Line {
  add(listener: Listener): void
  /** Takes it away, and with the last one closes the connection: true. */
  remove(listener: Listener): boolean
}

interface Connected {
  ask(statement: string): Promise<unknown>
  close(): Promise<void>
}

/** A connection answers one statement after the other. */
const oneAtATime = (client: pg.Client) => {
  const inTurn = serialQueue()
  return (statement: string): Promise<unknown> => inTurn(() => client.query(statement))
}

const backoff = { firstMs: 50, maxMs: 5000 }

/** This process's connections that listen, by database and heartbeat. */
const lines = new Map<string, Line>()

/**
 * Listens on a channel until the signal aborts, and connects again by itself when the connection is lost, or silent. `onNotify`
 * gets the payload of each notification, and `undefined` once after every connect: whatever was notified before that was
 * missed. Callers keep a safety poll or are notified of the loss, so failed attempts are not reported. All channels of a
 * database share one connection, as PostgreSQL wakes every one that listens for every notification, whatever its channel.
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

const openLine = (url: string, heartbeatMs: number): Line => {
  const listeners = new Set<Listener>()
  /** Those among them whose channel is listened on. */
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
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5000,
        query_timeout: heartbeatMs,
        keepAlive: true,
        application_name: 'prosa-listen',
      })
      const close = () => client.end().catch(() => undefined)
      let heartbeat: ReturnType<typeof setInterval> | undefined
      // 'end' follows each error and is what the loop below waits for.
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
