import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg, { escapeIdentifier } from 'pg'

export interface ListenOptions {
  /** Hears that the connection is gone, before another one is made: from here on notifications are missed. */
  onLost?: () => void
  /** Hears after every connect, and with every heartbeat that was answered, that nothing was missed up to now. */
  onAlive?: () => void
  /** How often the connection is asked whether it still lives, and how long it may take to answer; 5 s unless said. */
  heartbeatMilliseconds?: number
}

interface Hearer extends Pick<ListenOptions, 'onLost' | 'onAlive'> {
  channel: string
  onNotify: (payload: string | undefined) => void
}

interface Line {
  add(hearer: Hearer): void
  /** Takes it away, and with the last one closes the connection: true. */
  remove(hearer: Hearer): boolean
}

interface Connected {
  ask(statement: string): Promise<unknown>
  close(): Promise<void>
}

/** A connection answers one statement after the other. */
const oneAtATime = (client: pg.Client) => {
  let last: Promise<unknown> = Promise.resolve()
  return (statement: string): Promise<unknown> => {
    const answered = last.then(() => client.query(statement))
    // Whoever asked hears of the failure.
    last = answered.catch(() => undefined)
    return answered
  }
}

const firstPauseMilliseconds = 50
const longestPauseMilliseconds = 5000

/** Doubles with each failed attempt, up to 5 s, and spreads over half of that, so that processes do not return in step. */
const pauseMilliseconds = (failures: number) =>
  Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** failures) * (0.5 + Math.random() / 2)

/** This process's connections that listen, by database and heartbeat. */
const lines = new Map<string, Line>()

/**
 * Listens on a channel until the signal aborts, and connects again by itself when the connection is lost, or silent.
 * `onNotify` gets the payload of each notification, and `undefined` once after every connect: whatever was notified before
 * that was missed. Callers keep a safety poll or hear of the loss, so failed attempts are not reported. All channels of
 * a database share one connection, as PostgreSQL wakes every one that listens for every notification, whatever its channel.
 */
export const listen = (
  url: string,
  channel: string,
  onNotify: (payload: string | undefined) => void,
  signal: AbortSignal,
  { onLost, onAlive, heartbeatMilliseconds = 5000 }: ListenOptions = {},
): void => {
  if (signal.aborted) return
  const key = `${heartbeatMilliseconds} ${url}`
  const line = lines.get(key) ?? openLine(url, heartbeatMilliseconds)
  lines.set(key, line)
  const hearer = { channel, onNotify, onLost, onAlive }
  line.add(hearer)
  const leave = () => {
    if (line.remove(hearer)) lines.delete(key)
  }
  signal.addEventListener('abort', leave, { once: true })
}

const openLine = (url: string, heartbeatMilliseconds: number): Line => {
  const hearers = new Set<Hearer>()
  /** Those among them whose channel is listened on. */
  const listening = new Set<Hearer>()
  const closing = new AbortController()
  let connected: Connected | undefined

  const begin = async ({ ask }: Connected, those: readonly Hearer[]) => {
    const channels = new Set(those.map(({ channel }) => channel))
    await ask([...channels].map((channel) => `listen ${escapeIdentifier(channel)}`).join(';'))
    for (const hearer of those) {
      if (!hearers.has(hearer)) continue
      listening.add(hearer)
      hearer.onNotify(undefined)
      hearer.onAlive?.()
    }
  }

  const hear = ({ channel, payload = '' }: pg.Notification) => {
    for (const hearer of [...listening]) if (hearer.channel === channel) hearer.onNotify(payload)
  }

  const tellAlive = () => {
    for (const hearer of listening) hearer.onAlive?.()
  }

  const tellLost = () => {
    listening.clear()
    for (const hearer of hearers) hearer.onLost?.()
  }

  const stayConnected = async () => {
    let failures = 0
    while (!closing.signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5000,
        query_timeout: heartbeatMilliseconds,
        keepAlive: true,
        application_name: 'prosa-listen',
      })
      const close = () => client.end().catch(() => undefined)
      let heartbeat: ReturnType<typeof setInterval> | undefined
      // 'end' follows each error and is what the loop below waits for.
      client.on('error', () => undefined)
      client.on('notification', hear)
      const ended = once(client, 'end', { signal: closing.signal }).catch(() => undefined)
      try {
        await client.connect()
        const ask = oneAtATime(client)
        connected = { ask, close }
        await begin(connected, [...hearers])
        failures = 0
        heartbeat = setInterval(() => ask('select 1').then(tellAlive, close), heartbeatMilliseconds)
        await ended
      } catch {
        failures++
      } finally {
        connected = undefined
        clearInterval(heartbeat)
        tellLost()
        await close()
      }
      await delay(pauseMilliseconds(failures), undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    add(hearer) {
      hearers.add(hearer)
      if (hearers.size === 1) void stayConnected()
      else if (connected) begin(connected, [hearer]).catch(connected.close)
    },
    remove(hearer) {
      hearers.delete(hearer)
      listening.delete(hearer)
      hearer.onLost?.()
      if (hearers.size > 0) return false
      closing.abort()
      return true
    },
  }
}
