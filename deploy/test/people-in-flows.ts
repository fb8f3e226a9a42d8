import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import { type Codec, eventCodec } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPrivacy } from '@prosa/kernel/privacy/open-privacy'
import type { Pool } from 'pg'

export const codecOf = async (
  pool: Pool,
  databaseUrl: string,
  masterSecret: Uint8Array,
  signal: AbortSignal,
): Promise<Codec> => {
  const { personal } = await openPrivacy({ pool, writePool: pool, databaseUrl, masterSecret, log: silentLog(), signal })
  return eventCodec({ personal })
}

export const delayedFlow = (word: string, delaysSeconds: readonly number[]): FlowDocument => {
  const at = { x: 0, y: 0 }
  const trigger = newNode('trigger', 'start', at)
  const start = { kind: 'keyword', words: [word], match: 'equals' } as const
  const steps = delaysSeconds.flatMap((seconds, index) => [
    { ...newNode('message', `says${index}`, at) },
    { ...newNode('delay', `rests${index}`, at), data: { delay: String(seconds), description: '' } },
  ])
  const nodes = [
    { ...trigger, data: { ...trigger.data, start } },
    ...steps,
    newNode('message', 'last', at),
  ] as FlowDocument['nodes']
  const links = nodes.slice(1).map(({ id }, index) => {
    const source = nodes[index]?.id ?? ''
    return { id: `${source} ${id}`, source, target: id, sourceHandle: null }
  })
  return { nodes, links, settings: { ...newFlowSettings, again: 'always' } }
}

/** Events of other services for a tenant whose contacts write; without an account unless `tenant` has one. */
export const peopleInFlows = ({ store, codec }: { store: EventStore; codec: Codec }, tenant: string = randomUUID()) => {
  const record = async (stream: string, ...events: AnyEvent[]) => {
    const recordedAt = new Date().toISOString()
    const actor = { kind: 'user', id: tenant } as const
    const metadata = { causationId: 'test', correlationId: randomUUID(), actor, tenant, recordedAt }
    const encoded = await codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
    const appended = await store.append(stream, 'no_stream', encoded)
    if (!appended.ok) throw new Error('the stream was there already')
  }

  return {
    tenant,
    record,
    async line(): Promise<string> {
      const connectionId = randomUUID()
      await record(`connection-${connectionId}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
      return connectionId
    },
    async flow(document: FlowDocument): Promise<string> {
      const flowId = randomUUID()
      await record(
        `flow-${flowId}`,
        { type: 'FlowCreated', data: { name: 'Fluxo', folderId: null, document, origin: 'new' } },
        { type: 'FlowPublished', data: { version: 1, document } },
      )
      return flowId
    },
    async person(): Promise<string> {
      const contactId = randomUUID()
      const data = { phone: null, lid: `${contactId}@lid`, name: 'Ana', origin: 'message' } as const
      await record(`contact-${contactId}`, { type: 'ContactAdded', data })
      return contactId
    },
    writes: (contactId: string, connectionId: string, text: string) =>
      record(`chat-${contactId}`, {
        type: 'MessageReceived',
        data: {
          messageId: randomUUID(),
          connectionId,
          content: { kind: 'text', text },
          sentAt: new Date().toISOString(),
        },
      }),
  }
}
