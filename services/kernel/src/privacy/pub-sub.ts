import { type Topic, type TopicPayload, topics } from '@prosa/contracts/topics'
import type { Pool } from 'pg'
import type { Logger } from '../observability/log.ts'
import { listen } from '../postgres/listen.ts'
import type { SecretBox } from './secret-box.ts'

/** Reaches all listening processes, including this one. */
export interface PubSub {
  /** A process that is not listening misses it. */
  publish<T extends Topic>(topic: T, payload: TopicPayload<T>): Promise<void>
  /** Errors of `onMessage` are logged. */
  subscribe<T extends Topic>(
    topic: T,
    onMessage: (payload: TopicPayload<T>) => void | Promise<void>,
    signal?: AbortSignal,
  ): void
}

const channel = 'prosa_topics'
const purpose = 'topics'

export interface PubSubDeps {
  pool: Pool
  databaseUrl: string
  box: SecretBox
  log: Logger
  signal: AbortSignal
}

/** Uses NOTIFY, encrypted, as payloads may be personal. At most 5 kB. */
export const pubSub = ({ pool, databaseUrl, box, log, signal }: PubSubDeps): PubSub => {
  const listeners = new Map<Topic, Set<(payload: unknown) => void | Promise<void>>>()

  const receive = async (encrypted: string) => {
    const message = JSON.parse(box.decrypt(Buffer.from(encrypted, 'base64'), purpose).toString()) as {
      topic: Topic
      payload: unknown
    }
    const found = listeners.get(message.topic)
    if (!found) return
    const payload = topics[message.topic].parse(message.payload)
    await Promise.all([...found].map((each) => each(payload)))
  }

  listen(
    databaseUrl,
    channel,
    (encrypted) => {
      if (encrypted)
        receive(encrypted).catch((error) => log.warn({ err: error }, 'a message between services was not handled'))
    },
    signal,
  )

  return {
    async publish(topic, payload) {
      const encrypted = box.encrypt(Buffer.from(JSON.stringify({ topic, payload })), purpose).toString('base64')
      await pool.query('select pg_notify($1, $2)', [channel, encrypted])
    },
    subscribe(topic, onMessage, until) {
      const found = listeners.get(topic) ?? new Set()
      listeners.set(topic, found)
      const own = onMessage as (payload: unknown) => void | Promise<void>
      found.add(own)
      until?.addEventListener('abort', () => found.delete(own))
    },
  }
}
