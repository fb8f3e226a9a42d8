import type { EventType } from '../events/all-events.ts'
import type { Actor } from '../events/metadata.ts'
import { parseStream } from '../streams.ts'
import { publications } from './all-published.ts'
import { type IdKind, kindsOfPlatform } from './field.ts'
import { categoryOf, type Publication, type StoredEvent, serviceOf, streamIds } from './publication.ts'

/** A CloudEvent (1.0) of the published contract; `data` fits the schema that the catalogue has for `type`. */
export interface PublishedEvent {
  specversion: '1.0'
  /** The stored event's id: a repetition has the same. */
  id: string
  /** `/prosa/contacts`: the service that recorded it. */
  source: `/prosa/${string}`
  /** `prosa.contacts.conversation-accepted.v1` */
  type: string
  /** The stream, `contact-<pseudonym>`: what events are in order of, and the key in Kafka. */
  subject: string
  /** When it was recorded, UTC. */
  time: string
  datacontenttype: 'application/json'
  /** In the log; sorts bytewise. Pull replaces it by an opaque token. */
  position: string
  /** In its stream, from 0; numbers of what is not published are missing. */
  revision: number
  /** Pseudonym of the tenant; null for what belongs to none. */
  tenant: string | null
  /** Kind of who caused it: `user`, `admin`, `system`, `webhook`, `whatsapp`, `flow`. */
  actor: Actor['kind']
  data: Record<string, unknown>
}

export interface PublishDeps {
  /** Deterministic. Null: the installation's key; otherwise the key of the event's tenant (`tenantOf`). */
  pseudonym: (tenant: string | null, kind: IdKind, id: string) => string
  /** With personal fields, and ids as they are: only for a tenant's own streams. */
  withPersonal?: boolean
}

/** The tenant whose event it is, if any. */
export const tenantOf = ({ stream, metadata }: Pick<StoredEvent, 'stream' | 'metadata'>): string | null =>
  metadata.tenant ?? (streamIds[categoryOf(stream)]?.kind === 'account' ? parseStream(stream).id : null)

/** Undefined for what is not published. */
export const publicationOf = (type: EventType): Publication | undefined => {
  const found = publications[type]
  return found && 'name' in found ? found : undefined
}

export const cloudEventType = (service: string, { name, version }: Pick<Publication, 'name' | 'version'>): string =>
  `prosa.${service}.${name}.v${version}`

const fieldsOf = (event: StoredEvent, { of }: Publication, id: string): Record<string, unknown> => {
  const field = streamIds[categoryOf(event.stream)]?.field
  const own = of ? { ...event.data, ...of(event.data as never, id) } : { ...event.data }
  return field === undefined ? own : { ...own, [field]: id }
}

/** Undefined for types that are not published. Pure. */
export const publishedOf = (event: StoredEvent, deps: PublishDeps): PublishedEvent | undefined => {
  const publication = publicationOf(event.type)
  const category = categoryOf(event.stream)
  const streamId = streamIds[category]
  if (!publication || !streamId) return undefined
  const { id } = parseStream(event.stream)
  const tenant = tenantOf(event)
  const idOf = (kind: IdKind, value: string) => {
    if (deps.withPersonal) return value
    return deps.pseudonym(kindsOfPlatform.has(kind) ? null : tenant, kind, value)
  }
  const value = fieldsOf(event, publication, id)
  const data: Record<string, unknown> = {}
  for (const { name, pseudonymOf, personal } of publication.fields) {
    const found = value[name]
    if (found === undefined || (personal && !deps.withPersonal)) continue
    data[name] = pseudonymOf && typeof found === 'string' ? idOf(pseudonymOf, found) : found
  }
  const service = serviceOf(event.stream)
  return {
    specversion: '1.0',
    id: event.id,
    source: `/prosa/${service}`,
    type: cloudEventType(service, publication),
    subject: `${category}-${streamId.kind === 'plain' ? id : idOf(streamId.kind, id)}`,
    time: event.metadata.recordedAt,
    datacontenttype: 'application/json',
    position: event.position,
    revision: Number(event.revision),
    tenant: tenant === null ? null : idOf('account', tenant),
    actor: event.metadata.actor.kind,
    data,
  }
}
