import { EventEmitter } from 'node:events'
import type { QueryResult } from 'pg'
import { type Client as DatabaseClient, type Outcome, type Query, theDatabase } from './database.ts'
import { happens } from './random.ts'
import { currentProcess, theWorld } from './world.ts'

export interface ClientOptions {
  connectionString?: string
  application_name?: string
  query_timeout?: number
}

const connectionLost = () =>
  Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET', syscall: 'read' })

const connectionRefused = () =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

/** Replaces pg's client: statements take time on their way, or get lost. */
export class Client extends EventEmitter implements DatabaseClient {
  readonly process = currentProcess()
  readonly options: ClientOptions
  readonly channels = new Set<string>()
  isLost = false
  #last: Promise<unknown> = Promise.resolve()
  #fail: ((error: Error) => void) | undefined
  #notifiedAtMs = 0

  constructor(options: ClientOptions = {}) {
    super()
    this.options = options
  }

  get applicationName(): string | undefined {
    return this.options.application_name
  }

  connect(): Promise<void> {
    const world = theWorld()
    return new Promise((resolve, reject) => {
      world.after(world.latencyMs() + world.latencyMs(), () => {
        if (world.isDatabaseAway) return reject(connectionRefused())
        theDatabase().clients.add(this)
        resolve()
      })
    })
  }

  query(given: string | Query, values?: unknown[]): Promise<QueryResult> {
    const query: Query = typeof given === 'string' ? { text: given, ...(values && { values }) } : given
    const answer = this.#last.then(() => this.#send(query))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async end(): Promise<void> {
    await this.#last
    if (this.isLost) return
    this.isLost = true
    await new Promise<void>((resolve) => {
      theWorld().after(theWorld().latencyMs(), async () => {
        await theDatabase().disconnect(this)
        resolve()
      })
    })
    this.emit('end')
  }

  /** In commit order, delayed, sometimes twice. */
  notify(channel: string, payload: string): void {
    const world = theWorld()
    const times = happens(world.random, world.faults.repeatedWakeUpRate) ? 2 : 1
    for (let time = 0; time < times; time++) {
      this.#notifiedAtMs = Math.max(this.#notifiedAtMs, world.nowMs + world.latencyMs())
      const arrive = () => !this.isLost && this.emit('notification', { channel, payload, processId: 0 })
      world.after(this.#notifiedAtMs - world.nowMs, arrive, this.process)
    }
  }

  /** The database rolls back at once; this side learns it later. */
  async lose(): Promise<void> {
    if (this.isLost) return
    this.isLost = true
    await theDatabase().disconnect(this)
    const find = () => {
      const error = connectionLost()
      this.#fail?.(error)
      this.#fail = undefined
      if (this.listenerCount('error') > 0) this.emit('error', error)
      this.emit('end')
    }
    theWorld().after(theWorld().latencyMs(), find, this.process)
  }

  #send(query: Query): Promise<QueryResult> {
    const world = theWorld()
    if (this.isLost) return Promise.reject(connectionLost())
    return new Promise((resolve, reject) => {
      const limitMs = ('query_timeout' in query && query.query_timeout) || this.options.query_timeout
      const giveUp = limitMs
        ? world.after(limitMs, () => {
            this.#fail?.(new Error('Query read timeout'))
            this.#fail = undefined
            return this.lose()
          })
        : undefined
      this.#fail = (error) => {
        if (giveUp) giveUp.isCancelled = true
        reject(error)
      }
      const arrive = (outcome: Outcome) => {
        if (this.isLost) return
        this.#fail = undefined
        if (giveUp) giveUp.isCancelled = true
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.result)
      }
      const execute = async () => {
        if (this.isLost) return
        const isLosing = world.isDatabaseAway || happens(world.random, world.faults.lossRate)
        const isTooLate = isLosing && !world.isDatabaseAway && happens(world.random, 0.5)
        if (isLosing && !isTooLate) return this.lose()
        await theDatabase().execute(this, query, (outcome) => {
          if (isTooLate) return this.lose()
          return world.after(world.latencyMs(), () => arrive(outcome), this.process)
        })
      }
      // Arrives even if its process dies.
      world.onItsWay(world.latencyMs(), execute)
    })
  }
}
