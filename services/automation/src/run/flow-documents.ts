import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { streamName } from '@prosa/contracts/streams'
import type { EventStore, RecordedEvent } from '@prosa/kernel/event-store/port'
import { lruMap } from '@prosa/kernel/lru-map'
import type { Ports } from '@prosa/kernel/ports'
import { beginningOf, type Candidate, wordsOf } from './choose-flow.ts'
import type { FlowLibrary } from './flow-facts.ts'
import { type SeenLog, streamCache } from './stream-cache.ts'

interface KnownFlow {
  tenant: string
  next: bigint
  /** Stream revisions of the versions. */
  versionsAt: bigint[]
  /** 0 before the first publication. */
  version: number
  isOn: boolean
  isDeleted: boolean
}

const unknown: KnownFlow = { tenant: '', next: 0n, versionsAt: [], version: 0, isOn: false, isDeleted: false }

const maxFlows = 10_000
/** Cached, plus a constant per trigger. */
const maxKeywords = 500_000
/** Limit of the cached documents together. */
const maxCharacters = 32_000_000
/** Per decision: flows beside the named ones, and characters. */
const maxFurther = 50
const maxLibraryCharacters = 4_000_000

const sizes = new WeakMap<FlowDocument, number>()
/** Cached per document. */
const sizeOf = (document: FlowDocument): number => {
  const known = sizes.get(document) ?? JSON.stringify(document).length
  sizes.set(document, known)
  return known
}

/** Does not decrypt: drafts are saved a hundred times as often as published. */
const follow = (known: KnownFlow, { type, data, revision }: RecordedEvent): KnownFlow => {
  const next = revision + 1n
  if (type === 'FlowPublished') {
    const version = Number(data.version)
    known.versionsAt[version - 1] = revision
    return { ...known, next, isOn: true, version }
  }
  if (type === 'FlowTurnedOn') return { ...known, next, isOn: true }
  if (type === 'FlowTurnedOff') return { ...known, next, isOn: false }
  if (type === 'FlowDeleted') return { ...known, next, isOn: false, isDeleted: true }
  return { ...known, next }
}

/** Reads on from what is cached. */
const publications = (store: EventStore) => {
  const flows = lruMap<string, KnownFlow>(maxFlows)
  return async (stream: string, tenant: string): Promise<KnownFlow> => {
    let known = flows.get(stream) ?? { ...unknown, tenant, versionsAt: [] }
    if (known.tenant !== tenant) return unknown
    for await (const page of store.read(stream, { from: known.next })) {
      if (page[0]?.metadata.tenant !== tenant) return unknown
      known = page.reduce(follow, known)
    }
    if (known.next > 0n) flows.set(stream, known)
    return known
  }
}

interface WantedVersion {
  flowId: string
  version: number
}

interface LibrarySources {
  documentOf(tenant: string, flowId: string, version: number): Promise<FlowDocument | undefined>
  /** Null if disabled, unpublished or deleted. */
  publishedOf(tenant: string, flowId: string): Promise<number | null>
}

const readLibrary = async (
  { documentOf, publishedOf }: LibrarySources,
  tenant: string,
  wanted: readonly WantedVersion[],
  given: ReadonlyMap<string, FlowDocument>,
): Promise<FlowLibrary> => {
  const versions = new Map<string, FlowDocument>()
  const published = new Map<string, number | null>()
  const left = [...wanted]
  const max = wanted.length + maxFurther
  let characters = 0
  for (let each = left.shift(); each && versions.size < max; each = left.shift()) {
    if (characters > maxLibraryCharacters) break
    const key = `${each.flowId} ${each.version}`
    const document = versions.get(key) ?? given.get(key) ?? (await documentOf(tenant, each.flowId, each.version))
    if (!document || versions.has(key)) continue
    versions.set(key, document)
    characters += sizeOf(document)
    for (const node of document.nodes) {
      const flowId = node.type === 'flow' ? node.data.flowId : null
      if (flowId === null || published.has(flowId)) continue
      const version = given.has(`${flowId} 1`) ? 1 : await publishedOf(tenant, flowId)
      published.set(flowId, version)
      if (version !== null) left.push({ flowId, version })
    }
  }
  return {
    version: (flowId, version) => versions.get(`${flowId} ${version}`),
    // Beyond the limit a flow leads nowhere.
    published: (flowId) => {
      const version = published.get(flowId)
      return typeof version === 'number' && !versions.has(`${flowId} ${version}`) ? null : version
    },
  }
}

export const flowDocuments = ({ store, codec }: Pick<Ports, 'store' | 'codec'>, seen: SeenLog) => {
  const documents = lruMap<string, FlowDocument>(maxCharacters, (_, document) => sizeOf(document))
  const beginnings = lruMap<string, Candidate>(maxKeywords, (_, candidate) => 5 + wordsOf(candidate))

  const flowAt = streamCache({ store, seen }, maxFlows, publications(store))

  const readVersion = async (tenant: string, flowId: string, version: number): Promise<FlowDocument | undefined> => {
    const stream = streamName('flow', flowId)
    const revision = (await flowAt(stream, tenant)).versionsAt[version - 1]
    if (revision === undefined) return undefined
    for await (const page of store.read(stream, { from: revision, max: 1 })) {
      const [event] = await codec.decode(page)
      return event?.type === 'FlowPublished' ? event.data.document : undefined
    }
    return undefined
  }
  const reading = new Map<string, Promise<FlowDocument | undefined>>()

  /** Concurrent calls share one read. */
  const documentOf = async (tenant: string, flowId: string, version: number): Promise<FlowDocument | undefined> => {
    const key = `${tenant} ${flowId} ${version}`
    const known = documents.get(key) ?? reading.get(key)
    if (known) return known
    const read = readVersion(tenant, flowId, version).finally(() => reading.delete(key))
    reading.set(key, read)
    const document = await read
    if (document) documents.set(key, document)
    return document
  }

  /** The same object while cached; a thousand flows may be loaded. */
  const candidateOf = async (tenant: string, flowId: string, version: number): Promise<Candidate | undefined> => {
    const key = `${tenant} ${flowId} ${version}`
    const known = beginnings.get(key)
    if (known) return known
    const document = await documentOf(tenant, flowId, version)
    if (!document) return undefined
    // Concurrent callers must get the same object.
    const candidate = beginnings.get(key) ?? { flowId, version, document: beginningOf(document) }
    beginnings.set(key, candidate)
    return candidate
  }

  /** Null if disabled, unpublished or deleted. */
  const publishedOf = async (tenant: string, flowId: string): Promise<number | null> => {
    const { isOn, version } = await flowAt(streamName('flow', flowId), tenant)
    return isOn ? version : null
  }

  return {
    documentOf,
    candidateOf,
    publishedOf,
    /** Includes unpublished flows. */
    async exists(tenant: string, flowId: string): Promise<boolean> {
      const { next, isDeleted } = await flowAt(streamName('flow', flowId), tenant)
      return next > 0n && !isDeleted
    },
    isDeleted: async (tenant: string, flowId: string) => (await flowAt(streamName('flow', flowId), tenant)).isDeleted,

    /** Includes flows they lead to. `given` documents (drafts) replace stored ones. */
    libraryOf: (
      tenant: string,
      wanted: readonly WantedVersion[],
      given: ReadonlyMap<string, FlowDocument> = new Map(),
    ): Promise<FlowLibrary> => readLibrary({ documentOf, publishedOf }, tenant, wanted, given),
  }
}
