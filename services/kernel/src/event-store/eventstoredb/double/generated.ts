import { createRequire } from 'node:module'
import type { IGossipServer, IGossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type {
  IServerFeaturesServer,
  IServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type { IStreamsServer, IStreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'

const require = createRequire(import.meta.url)
const clientRequire = createRequire(require.resolve('@eventstore/db-client'))

type Messages<Path extends 'gossip' | 'serverfeatures' | 'shared' | 'streams'> = {
  gossip: typeof import('@eventstore/db-client/generated/gossip_pb.js')
  serverfeatures: typeof import('@eventstore/db-client/generated/serverfeatures_pb.js')
  shared: typeof import('@eventstore/db-client/generated/shared_pb.js')
  streams: typeof import('@eventstore/db-client/generated/streams_pb.js')
}[Path]

interface Grpc {
  Server: new (options: Record<string, number>) => GrpcServer
  ServerCredentials: { createInsecure(): object }
  Metadata: new () => NonNullable<GrpcFailure['metadata']>
}

export interface GrpcServer {
  addService(service: object, implementation: object): void
  bindAsync(address: string, credentials: object, callback: (error: Error | null, port: number) => void): void
  forceShutdown(): void
}

// Messages are recognised by class, so these must be the client's copies.
export const grpc: Grpc = clientRequire('@grpc/grpc-js')
export const gossip: Messages<'gossip'> = require('@eventstore/db-client/generated/gossip_pb.js')
export const features: Messages<'serverfeatures'> = require('@eventstore/db-client/generated/serverfeatures_pb.js')
export const shared: Messages<'shared'> = require('@eventstore/db-client/generated/shared_pb.js')
export const streams: Messages<'streams'> = require('@eventstore/db-client/generated/streams_pb.js')

export const streamsService: IStreamsService =
  require('@eventstore/db-client/generated/streams_grpc_pb.js').StreamsService
export const gossipService: IGossipService = require('@eventstore/db-client/generated/gossip_grpc_pb.js').GossipService
export const featuresService: IServerFeaturesService =
  require('@eventstore/db-client/generated/serverfeatures_grpc_pb.js').ServerFeaturesService

export const streamsClient: unknown = require('@eventstore/db-client/generated/streams_grpc_pb').StreamsClient

export type AppendCall = Parameters<IStreamsServer['append']>[0]
export type AppendReply = Parameters<IStreamsServer['append']>[1]
export type ReadCall = Parameters<IStreamsServer['read']>[0]
export type StreamsImplementation = IStreamsServer
export type GossipImplementation = Pick<IGossipServer, 'read'>
export type FeaturesImplementation = Pick<IServerFeaturesServer, 'getSupportedMethods'>
export type GrpcFailure = Extract<Parameters<AppendReply>[0], Error>
