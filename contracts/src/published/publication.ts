import { z } from 'zod'
import type { allEvents, EventType } from '../events/all-events.ts'
import type { EventMetadata } from '../events/metadata.ts'
import { type Category, categories, parseStream, type StreamService } from '../streams.ts'
import { type FieldMeta, type IdKind, metaOf } from './field.ts'

export type DataOf<T extends EventType> = z.infer<(typeof allEvents)[T]>

/** An event as the codec decodes it. */
export interface StoredEvent<T extends EventType = EventType> {
  id: string
  type: T
  stream: string
  revision: bigint
  position: string
  metadata: EventMetadata
  data: DataOf<T>
}

type Shape = Record<string, z.ZodType>

interface Named {
  /** kebab-case; with service and version it is the CloudEvents type. */
  name: string
  /** Raised only by a change that breaks readers, which then get both for a while. */
  version: number
  /** Day of the release, `2026-11-27`. */
  since: string
  /** Portuguese. */
  sentence: string
}

export interface Publication extends Named {
  schema: z.ZodObject
  fields: readonly (FieldMeta & { name: string })[]
  /** Fields by another name, or computed. Others are taken as they are. */
  of: ((data: never, id: string) => Record<string, unknown>) | undefined
}

export interface LeftOut {
  /** English. */
  leftOut: string
}

interface Details<T extends EventType> {
  of?: (data: DataOf<T>, id: string) => Record<string, unknown>
  since?: string
}

export const leftOut = (reason: string): LeftOut => ({ leftOut: reason })

/** `of` gets the event's data and the id in its stream's name. */
export const published =
  <T extends EventType>() =>
  (name: string, sentence: string, shape: Shape = {}, { of, since = '2026-11-27' }: Details<T> = {}): Publication => ({
    name,
    version: 1,
    since,
    sentence,
    schema: z.object(shape),
    fields: Object.entries(shape).map(([field, schema]) => ({ name: field, ...metaOf(schema) })),
    of: of as Publication['of'],
  })

export type Publications<Events> = { [T in keyof Events & EventType]: Publication | LeftOut }

/** What the id in a stream's name is, and the field of each event that has it; none where it is the tenant. */
export const streamIds: Partial<Record<Category, { kind: IdKind | 'plain'; field?: string }>> = {
  user: { kind: 'account' },
  company: { kind: 'account' },
  subscription: { kind: 'account' },
  quickReply: { kind: 'account' },
  openingHours: { kind: 'account' },
  label: { kind: 'account' },
  contactField: { kind: 'account' },
  defaultFlow: { kind: 'account' },
  flowOrder: { kind: 'account' },
  supportRequest: { kind: 'supportRequest', field: 'requestId' },
  order: { kind: 'order', field: 'orderId' },
  kiwifySubscription: { kind: 'subscription', field: 'subscriptionId' },
  plan: { kind: 'plain' },
  contact: { kind: 'contact', field: 'contactId' },
  chat: { kind: 'contact', field: 'contactId' },
  flowRun: { kind: 'contact', field: 'contactId' },
  flow: { kind: 'flow', field: 'flowId' },
  flowFolder: { kind: 'folder', field: 'folderId' },
  connection: { kind: 'connection', field: 'connectionId' },
  media: { kind: 'media', field: 'mediaId' },
}

export const categoryOf = (stream: string): Category => parseStream(stream).category as Category
export const serviceOf = (stream: string): StreamService => categories[categoryOf(stream)]
