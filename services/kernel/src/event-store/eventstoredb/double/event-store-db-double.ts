import {
  type AppendFault,
  appendFailures,
  handlerException,
  type SubscriptionEnd,
  streamDeleted,
  toStatus,
} from './faults.ts'
import {
  type AppendCall,
  type AppendReply,
  type FeaturesImplementation,
  features,
  featuresService,
  type GossipImplementation,
  type GrpcServer,
  gossip,
  gossipService,
  grpc,
  type StreamsImplementation,
  streamsService,
} from './generated.ts'
import { appended, conflict, expectedOf, proposedOf, streamName, uuid } from './messages.ts'
import { readCall, type Subscription } from './read-call.ts'
import { type Expected, maxAppendBytes, type Proposed, StoredLog } from './stored-log.ts'

type Method = 'append' | 'batchAppend' | 'delete' | 'gossip' | 'read' | 'tombstone'

interface Append {
  stream: string
  expected: Expected
  proposed: Proposed[]
}

/** Behaves as measured on 23.10.6, with the client's gRPC services. Proves nothing about the server. */
export class EventStoreDbDouble {
  readonly log = new StoredLog()
  readonly calls = new Map<Method, number>()
  readonly arrivals: string[][] = []
  #server: GrpcServer | undefined
  #port = 0
  readonly #subscriptions = new Set<Subscription>()
  readonly #appendFaults: AppendFault[] = []
  #areReadsMute = false
  #commitMs = 0
  readonly #committing = new Map<string, { ids: string; done: Promise<void> }>()

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`
  }

  get port(): number {
    return this.#port
  }

  /** A restart keeps port and log. */
  async start(port = this.#port): Promise<this> {
    const server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 })
    server.addService(streamsService, this.#streams())
    server.addService(gossipService, this.#gossip())
    server.addService(featuresService, this.#features())
    this.#port = await new Promise((resolve, reject) => {
      const insecure = grpc.ServerCredentials.createInsecure()
      server.bindAsync(`127.0.0.1:${port}`, insecure, (error, bound) => (error ? reject(error) : resolve(bound)))
    })
    this.#server = server
    return this
  }

  kill() {
    this.#server?.forceShutdown()
    this.#server = undefined
    this.#subscriptions.clear()
    this.log.forget()
  }

  meet(...faults: AppendFault[]) {
    this.#appendFaults.push(...faults)
  }

  muteReads(areMute: boolean) {
    this.#areReadsMute = areMute
  }

  commitIn(ms: number) {
    this.#commitMs = ms
  }

  endSubscriptions(how: SubscriptionEnd) {
    for (const subscription of [...this.#subscriptions]) subscription.end(how)
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size
  }

  #count(method: Method) {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1)
  }

  #streams(): Partial<Record<keyof StreamsImplementation, unknown>> {
    const unimplemented = (method: Method) => (call: { emit(event: 'error', error: Error): void }, reply?: unknown) => {
      this.#count(method)
      const error = Object.assign(new Error(`the double has no ${method}`), { code: 12 })
      if (typeof reply === 'function') reply(error)
      else call.emit('error', error)
    }
    return {
      append: (call: AppendCall, reply: AppendReply) => {
        this.#count('append')
        const append: Append = { stream: '', expected: 'any', proposed: [] }
        call.on('data', (message) => {
          const options = message.getOptions()
          const proposed = message.getProposedMessage()
          if (options) Object.assign(append, { stream: streamName(options), expected: expectedOf(options) })
          if (proposed) append.proposed.push(proposedOf(proposed))
        })
        call.on('end', () => void this.#append(append, reply))
      },
      read: (call: Parameters<StreamsImplementation['read']>[0]) => {
        this.#count('read')
        if (this.#areReadsMute) return
        void readCall(call, this.log, this.#subscriptions)
      },
      batchAppend: unimplemented('batchAppend'),
      delete: unimplemented('delete'),
      tombstone: unimplemented('tombstone'),
    }
  }

  async #append(append: Append, reply: AppendReply) {
    const ids = append.proposed.map(({ id }) => id)
    this.arrivals.push(ids)
    const fault = this.#appendFaults.shift()
    if (fault === 'unanswered') return
    if (fault && !fault.startsWith('stored')) return this.#fail(reply, fault)
    if (!(await this.#committed(append.stream, ids.join()))) return
    this.#decide(append, fault?.startsWith('stored') ? () => this.#fail(reply, fault) : reply)
  }

  /** False for an append equal to one being committed, which the server never answers. */
  async #committed(stream: string, ids: string): Promise<boolean> {
    if (this.#commitMs === 0 && !this.#committing.has(stream)) return true
    for (let other = this.#committing.get(stream); other; other = this.#committing.get(stream)) {
      if (other.ids === ids) return false
      await other.done
    }
    const done = new Promise<void>((resolve) => setTimeout(resolve, this.#commitMs))
    this.#committing.set(stream, { ids, done })
    await done
    this.#committing.delete(stream)
    return true
  }

  #decide({ stream, expected, proposed }: Append, reply: AppendReply | (() => void)) {
    try {
      const answer = this.log.append(stream, expected, proposed)
      if (answer.kind === 'stored') reply(null, appended(answer.revision, answer.numericPosition))
      else if (answer.kind === 'conflict') reply(null, conflict(expected, answer.actual))
      else if (answer.kind === 'deleted') reply(toStatus(streamDeleted(stream)))
      else this.#fail(reply, 'refused for its size', String(maxAppendBytes))
    } catch {
      reply(toStatus(handlerException))
    }
  }

  #fail(reply: AppendReply | (() => void), fault: AppendFault, limit?: string) {
    const failure = appendFailures[fault]
    if (!failure) return
    const status = toStatus(failure)
    if (limit) status.metadata.set('maximum-append-size', limit)
    reply(status)
  }

  #gossip(): { [Name in keyof GossipImplementation]: unknown } {
    const read: GossipImplementation['read'] = (_, reply) => {
      this.#count('gossip')
      const member = new gossip.MemberInfo()
        .setInstanceId(uuid(crypto.randomUUID()))
        .setState(gossip.MemberInfo.VNodeState.LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(this.#port))
      reply(null, new gossip.ClusterInfo().setMembersList([member]))
    }
    return { read }
  }

  #features(): { [Name in keyof FeaturesImplementation]: unknown } {
    const getSupportedMethods: FeaturesImplementation['getSupportedMethods'] = (_, reply) => {
      const methods = ['BatchAppend', 'Append', 'Read'].map((name) =>
        new features.SupportedMethod().setServiceName('event_store.client.streams.Streams').setMethodName(name),
      )
      reply(null, new features.SupportedMethods().setEventStoreServerVersion('23.10.6').setMethodsList(methods))
    }
    return { getSupportedMethods }
  }
}
