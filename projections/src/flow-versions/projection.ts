import { isDeepStrictEqual } from 'node:util'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** Without canvas positions. */
const stepsOf = ({ nodes, links }: FlowDocument): Map<string, unknown> => {
  const outputs = new Map<string, Record<string, string>>()
  for (const { source, sourceHandle, target } of links)
    outputs.set(source, { ...outputs.get(source), [sourceHandle ?? '']: target })
  return new Map(nodes.map(({ id, type, data }) => [id, { type, data, outputs: outputs.get(id) ?? {} }]))
}

interface FlowChanges {
  added: number
  removed: number
  changed: number
}

const compareFlows = (before: FlowDocument | undefined, after: FlowDocument): FlowChanges => {
  const [former, now] = [before ? stepsOf(before) : new Map<string, unknown>(), stepsOf(after)]
  const common = [...now].filter(([id]) => former.has(id))
  return {
    added: now.size - common.length,
    removed: former.size - common.length,
    changed: common.filter(([id, step]) => !isDeepStrictEqual(step, former.get(id))).length,
  }
}

export interface FlowVersionRow {
  /** `<flow>:<version>` */
  key: string
  flowId: string
  tenant: string | null
  version: number
  publishedAt: string
  publisherId: string
  document: FlowDocument
  /** Nodes, against the previous version. */
  added: number
  removed: number
  changed: number
}

const flowVersionTable: Table<FlowVersionRow> = {
  name: 'flow_version',
  key: 'key',
  columns: {
    key: 'text collate "C"',
    flowId: 'text collate "C" not null',
    tenant: 'text collate "C"',
    version: 'int not null',
    publishedAt: 'text collate "C" not null',
    publisherId: 'text collate "C" not null',
    document: 'jsonb not null',
    added: 'int not null',
    removed: 'int not null',
    changed: 'int not null',
  },
  after: [
    'create index flow_version_flow on flow_version (flow_id, version desc)',
    'create index flow_version_owner on flow_version (owner)',
  ],
}

const keyOf = (stream: string, version: number) => `${parseStream(stream).id}:${version}`

export const flowVersions: Projection<FlowVersionRow> = {
  name: 'flow-versions',
  version: 1,
  categories: ['flow', 'user'],
  table: flowVersionTable,
  on: {
    FlowPublished: {
      key: ({ stream, data }) => keyOf(stream, data.version),
      beside: ({ stream, data }) => keyOf(stream, data.version - 1),
      row: (_, { stream, data: { version, document }, metadata }, before) => ({
        key: keyOf(stream, version),
        flowId: parseStream(stream).id,
        tenant: metadata.tenant,
        version,
        publishedAt: metadata.recordedAt,
        publisherId: metadata.actor.id,
        document,
        ...compareFlows(before?.document, document),
      }),
    },
    FlowDeleted: { purge: { column: 'flowId', value: ({ stream }) => parseStream(stream).id } },
    UserErased: { purge: { column: 'tenant', value: ({ stream }) => parseStream(stream).id } },
  },
}
