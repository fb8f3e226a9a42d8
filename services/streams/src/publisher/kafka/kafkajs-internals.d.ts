/** What kafkajs 2.2.4, its last release, does not export. */

declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface RequestQueue {
    pending: unknown[]
    throttledUntil: number
    scheduleCheckPendingRequests(): void
  }
  const requestQueue: { prototype: RequestQueue }
  export default requestQueue
}

declare module 'kafkajs/src/network/socketFactory.js' {
  import type { ISocketFactory } from 'kafkajs'

  const socketFactory: () => ISocketFactory
  export default socketFactory
}

declare module 'kafkajs/src/cluster/index.js' {
  import type { Broker, ISocketFactory, KafkaConfig, Logger } from 'kafkajs'

  interface ClusterConfig extends KafkaConfig {
    logger: Logger
    socketFactory: ISocketFactory
    metadataMaxAge: number
    allowAutoTopicCreation: false
  }
  interface FetchedPartition {
    partition: number
    highWatermark: string
    messages: { offset: string; headers: Record<string, Buffer | undefined> }[]
  }
  interface FetchRequest {
    replicaId: -1
    /** 0: read uncommitted. */
    isolationLevel: 0
    maxWaitTime: number
    minBytes: number
    maxBytes: number
    topics: { topic: string; partitions: { partition: number; fetchOffset: string; maxBytes: number }[] }[]
  }
  interface FetchingBroker extends Broker {
    fetch(request: FetchRequest): Promise<{ responses: { topicName: string; partitions: FetchedPartition[] }[] }>
  }
  export default class Cluster {
    constructor(config: ClusterConfig)
    connect(): Promise<void>
    disconnect(): Promise<void>
    addTargetTopic(topic: string): Promise<void>
    findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>
    findBroker(of: { nodeId: string }): Promise<FetchingBroker>
  }
}
