import { type Topic, type TopicPayload, topics } from '@prosa/contracts/topics'
import type { Pool } from 'pg'
import type { Logger } from '../observability/log.ts'
import { listen } from '../postgres/listen.ts'
import type { Redis } from '../redis/redis.ts'
import { withField } from '../with-field.ts'
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

/** Encrypted, as payloads may be personal. On the wire, which processes of other releases share, the tenant is `owner`. */
const exchange = ({ box, log }: Pick<PubSubDeps, 'box' | 'log'>) => {
  const listeners = new Map<Topic, Set<(payload: unknown) => void | Promise<void>>>()

  const handOut = async (encrypted: string) => {
    const message = JSON.parse(box.decrypt(Buffer.from(encrypted, 'base64'), purpose).toString()) as {
      topic: Topic
      payload: object
    }
    const found = listeners.get(message.topic)
    if (!found) return
    const payload = topics[message.topic].parse(withField(message.payload, 'owner', 'tenant'))
    await Promise.all([...found].map((each) => each(payload)))
  }

  const subscribe: PubSub['subscribe'] = (topic, onMessage, until) => {
    const found = listeners.get(topic) ?? new Set()
    listeners.set(topic, found)
    const own = onMessage as (payload: unknown) => void | Promise<void>
    found.add(own)
    until?.addEventListener('abort', () => found.delete(own))
  }

  return {
    encrypt: <T extends Topic>(topic: T, payload: TopicPayload<T>) =>
      box
        .encrypt(Buffer.from(JSON.stringify({ topic, payload: withField(payload, 'tenant', 'owner') })), purpose)
        .toString('base64'),
    receive(encrypted: string) {
      handOut(encrypted).catch((error) => log.warn({ err: error }, 'a message between services was not handled'))
    },
    subscribe,
  }
}

/** Uses NOTIFY. At most 5 kB. */
export const pubSub = ({ pool, databaseUrl, box, log, signal }: PubSubDeps): PubSub => {
  const { encrypt, receive, subscribe } = exchange({ box, log })
  const onNotify = (encrypted: string | undefined) => {
    if (encrypted) receive(encrypted)
  }
  listen(databaseUrl, channel, onNotify, signal)
  return {
    subscribe,
    async publish(topic, payload) {
      await pool.query('select pg_notify($1, $2)', [channel, encrypt(topic, payload)])
    },
  }
}

/** Who is there and who types: of no use later. Questions that somebody waits for stay with the database. */
const transient = new Set<Topic>([
  'contact.opened',
  'contact.typing',
  'presence.wanted',
  'presence.requested',
  'presence.received',
])

export interface OverRedisDeps extends Pick<PubSubDeps, 'box' | 'log'> {
  redis: Redis
  others: PubSub
}

/** Presence over Redis, which spares the database a transaction for each; lost while Redis is away. Everything else over `others`. */
export const overRedis = ({ redis, others, box, log }: OverRedisDeps): PubSub => {
  const { encrypt, receive, subscribe } = exchange({ box, log })
  const subscriber = redis.subscriber()
  subscriber.on('message', (_channel, encrypted) => receive(encrypted))
  // Subscribes again by itself after each loss; it rejects only when the process ends.
  subscriber.subscribe(channel).catch(() => undefined)
  return {
    async publish(topic, payload) {
      if (!transient.has(topic)) return others.publish(topic, payload)
      await redis.ask((client) => client.publish(channel, encrypt(topic, payload)))
    },
    subscribe(topic, onMessage, until) {
      const way = transient.has(topic) ? subscribe : others.subscribe
      way(topic, onMessage, until)
    },
  }
}
