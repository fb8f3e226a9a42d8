import type { FlowStatus, Flow as ShownFlow, FlowFolder as ShownFolder } from '@prosa/contracts/http/flows'
import { streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Ports } from '@prosa/kernel/ports'
import { type Flow, nodeCountOf, versionOf } from '../flow.ts'
import type { FlowFolder } from '../flow-folder.ts'

type Store = Pick<Ports, 'store'>

const momentsOf = async ({ store }: Store, stream: string): Promise<{ createdAt: Instant; updatedAt: Instant }> => {
  for await (const [first] of store.read(stream, { max: 1 }))
    for await (const [last] of store.readBack(stream))
      if (first && last) return { createdAt: first.metadata.recordedAt, updatedAt: last.metadata.recordedAt }
  throw new Error(`${stream} has a state and no event`)
}

export const statusOf = (flow: Pick<Flow, 'versionsAt' | 'isOn'>): FlowStatus => {
  if (versionOf(flow) === 0) return 'draft'
  return flow.isOn ? 'active' : 'inactive'
}

export const shownFlow = async (store: Store, id: string, flow: Flow): Promise<ShownFlow> => ({
  id,
  name: flow.name,
  folderId: flow.folderId,
  status: statusOf(flow),
  nodeCount: nodeCountOf(flow),
  version: versionOf(flow) || null,
  ...(await momentsOf(store, streamName('flow', id))),
})

export const shownFolder = async (
  store: Store,
  id: string,
  { name, description }: FlowFolder,
  flowCount: number,
): Promise<ShownFolder> => ({
  id,
  name,
  description,
  flowCount,
  ...(await momentsOf(store, streamName('flowFolder', id))),
})

const mark = ' (Cópia)'

/** 'Vendas' → 'Vendas (Cópia)' */
export const nameOfCopy = (name: string, longest: number): string =>
  `${[...name]
    .slice(0, longest - mark.length)
    .join('')
    .trimEnd()}${mark}`
