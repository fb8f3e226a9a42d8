import { EventEmitter } from 'node:events'
import type { QueryResult } from 'pg'
import type { Query } from './database.ts'
import { clearTimeout, setTimeout } from './globals.ts'
import { Client, type ClientOptions } from './pg-client.ts'

interface PoolOptions extends ClientOptions {
  max?: number
  connectionTimeoutMillis?: number
}

class PooledClient extends Client {
  release: (broken?: unknown) => void = () => undefined
}

interface Waiting {
  take(client: PooledClient): void
  fail(error: unknown): void
}

export class Pool extends EventEmitter {
  readonly options: PoolOptions
  readonly #idle: PooledClient[] = []
  readonly #all = new Set<PooledClient>()
  readonly #waiting: Waiting[] = []
  #ended: { resolve: () => void; done: Promise<void> } | undefined

  constructor(options: PoolOptions = {}) {
    super()
    this.options = { max: 10, ...options }
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  async query(given: string | Query, values?: unknown[]): Promise<QueryResult> {
    const client = await this.connect()
    try {
      const result = await client.query(given, values)
      client.release()
      return result
    } catch (error) {
      client.release(error)
      throw error
    }
  }

  connect(): Promise<PooledClient> {
    if (this.#ended) return Promise.reject(new Error('Cannot use a pool after calling end on the pool'))
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(this.#lent(idle))
    return new Promise((resolve, reject) => {
      const limitMs = this.options.connectionTimeoutMillis
      const waiting: Waiting = {
        take(client) {
          clearTimeout(late)
          resolve(client)
        },
        fail(error) {
          clearTimeout(late)
          reject(error)
        },
      }
      const giveUp = () => {
        const at = this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
        reject(new Error('timeout exceeded when trying to connect'))
      }
      const late = limitMs ? setTimeout(giveUp, limitMs) : undefined
      this.#waiting.push(waiting)
      this.#serve()
    })
  }

  async end(): Promise<void> {
    if (!this.#ended) {
      let resolve: () => void = () => undefined
      const done = new Promise<void>((end) => {
        resolve = end
      })
      this.#ended = { resolve, done }
      for (const client of this.#idle.splice(0)) this.#remove(client)
      if (this.#all.size === 0) resolve()
    }
    return this.#ended.done
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const idle = this.#idle.pop()
      if (idle) {
        this.#waiting.shift()?.take(this.#lent(idle))
        continue
      }
      if (this.#all.size >= (this.options.max ?? 10)) return
      const waiting = this.#waiting.shift()
      if (waiting) void this.#open(waiting)
    }
  }

  async #open(waiting: Waiting): Promise<void> {
    const client = new PooledClient(this.options)
    this.#all.add(client)
    try {
      await client.connect()
    } catch (error) {
      this.#all.delete(client)
      waiting.fail(error)
      return
    }
    this.emit('connect', client)
    client.on('error', (error) => {
      const at = this.#idle.indexOf(client)
      if (at < 0) return
      this.#idle.splice(at, 1)
      this.#all.delete(client)
      if (this.listenerCount('error') > 0) this.emit('error', error, client)
    })
    waiting.take(this.#lent(client))
  }

  #lent(client: PooledClient): PooledClient {
    client.release = (broken) => {
      client.release = () => undefined
      if (broken || client.isLost || this.#ended) this.#remove(client)
      else this.#idle.push(client)
      this.#serve()
    }
    return client
  }

  #remove(client: PooledClient): void {
    const isGone = () => {
      this.#all.delete(client)
      if (this.#ended && this.#all.size === 0) this.#ended.resolve()
      this.#serve()
    }
    if (client.isLost) isGone()
    else void client.end().then(isGone)
  }
}
