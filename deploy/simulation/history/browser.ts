import { idempotencyKeyHeader, positionHeader } from '@prosa/contracts/http/problem'
import type { Cluster } from '../cluster.ts'
import { randomUUID } from '../platform/random-ids.ts'
import { inProcess, theWorld } from '../platform/world.ts'
import type { ProductProcess } from '../product-process.ts'

export interface Reply<T = unknown> {
  status: number
  body: T
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Repeats a request under the same key until it is answered; reads its own writes. */
export class Browser {
  readonly #cluster: Cluster
  cookie: string | undefined
  #position: string | undefined

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  async ask<T>(method: Method, url: string, payload?: object): Promise<Reply<T>> {
    const key = randomUUID()
    theWorld().note(`asks ${method} ${url}`)
    const reply = await this.#cluster.persist((process) => this.askOf<T>(process, method, url, payload, key))
    theWorld().note(`answered ${method} ${url} ${reply.status}`)
    if (reply.status === 428) {
      const { tenantId } = reply.body as { tenantId: string | null }
      await this.ask('POST', '/api/admin/reading-purposes', { tenantId, purpose: 'support' })
      return this.ask(method, url, payload)
    }
    return reply
  }

  /** Asks one process once; throws when it could not answer. */
  async askOf<T>(
    process: ProductProcess,
    method: Method,
    url: string,
    payload?: object,
    key = randomUUID(),
  ): Promise<Reply<T>> {
    const world = theWorld()
    await world.pause(world.latencyMs())
    const headers = {
      host: 'localhost:3000',
      [idempotencyKeyHeader]: key,
      ...(this.cookie && { cookie: this.cookie }),
      ...(method === 'GET' && this.#position && { [positionHeader]: this.#position }),
    }
    const answer = inProcess(process.process, () =>
      process.host.app.inject({ method, url, headers, ...(payload && { payload }) }).then((reply) => reply),
    )
    const reply = await Promise.race([answer, process.died])
    if (reply.statusCode >= 500 || reply.statusCode === 429)
      throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
    const problem = reply.statusCode === 409 ? reply.json() : undefined
    if (problem?.type === 'request_in_progress') throw new Error('still in progress')
    const set = reply.cookies.find(({ name }) => name.endsWith('prosa'))
    if (set?.value) this.cookie = `${set.name}=${set.value}`
    this.#position = String(reply.headers[positionHeader] ?? this.#position ?? '') || undefined
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.statusCode, body: (isJson ? reply.json() : reply.body) as T }
  }

  async must<T>(method: Method, url: string, payload?: object): Promise<T> {
    const reply = await this.ask<T>(method, url, payload)
    if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
}
