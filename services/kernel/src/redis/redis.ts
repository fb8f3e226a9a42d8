import { Redis as Client } from 'ioredis'
import type { Logger } from '../observability/log.ts'

/** Shares what is no event between processes, and nothing that must not be lost: the product goes on without it. */
export interface Redis {
  /** Undefined at once while Redis is away, and when it does not answer within a second. Never rejects. */
  ask<T>(command: (client: Client) => Promise<T>): Promise<T | undefined>
  /** An own connection, for subscriptions. It subscribes again after each loss. */
  subscriber(): Client
  isAway(): boolean
  /** Called each time Redis answers again; it may have lost everything. */
  onBack(listener: () => void): void
  close(): Promise<void>
}

const answerMs = 1000
const firstAnswerMs = 2000
const probeEveryMs = 500
const maxReconnectMs = 1000

const retryStrategy = (attempt: number) => Math.min(attempt * 50, maxReconnectMs)

const firstAnswer = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, firstAnswerMs)
    for (const event of ['ready', 'error'] as const)
      client.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
  })

/** Resolves also when Redis is away. Its loss and its return are logged once each. */
export const openRedis = async (url: string, log: Logger): Promise<Redis> => {
  const options = { retryStrategy, enableReadyCheck: true, connectTimeout: answerMs }
  const client = new Client(url, {
    ...options,
    commandTimeout: answerMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  const listeners: (() => void)[] = []
  const subscribers: Client[] = []
  let isAway = false
  let isClosing = false
  let probe: NodeJS.Timeout | undefined

  const comeBack = () => {
    clearInterval(probe)
    if (isAway) log.info('Redis answers again')
    isAway = false
    for (const listener of listeners) listener()
  }
  const goAway = (error: unknown) => {
    if (isAway || isClosing) return
    isAway = true
    log.warn({ err: error }, 'Redis is away: no presence, and each process counts its own limits')
    // A frozen server keeps its connections: only an answer proves that it is back.
    probe = setInterval(() => {
      if (client.status === 'ready') client.ping().then(() => isAway && comeBack(), goAway)
    }, probeEveryMs)
    probe.unref()
  }
  client.on('error', goAway)
  client.on('close', () => goAway(new Error('the connection closed')))
  await firstAnswer(client)
  if (client.status !== 'ready') goAway(new Error('it did not answer'))

  return {
    async ask(command) {
      if (isAway) return undefined
      try {
        return await command(client)
      } catch (error) {
        goAway(error)
        return undefined
      }
    },
    subscriber() {
      const subscriber = new Client(url, { ...options, maxRetriesPerRequest: null })
      // Reported by the other connection.
      subscriber.on('error', () => undefined)
      subscribers.push(subscriber)
      return subscriber
    },
    isAway: () => isAway,
    onBack: (listener) => void listeners.push(listener),
    async close() {
      isClosing = true
      clearInterval(probe)
      for (const each of [client, ...subscribers]) each.disconnect()
    },
  }
}
