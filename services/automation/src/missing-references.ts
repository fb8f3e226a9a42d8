import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { streamName } from '@prosa/contracts/streams'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { EventStore } from '@prosa/kernel/event-store/port'
import type { FlowGround } from './flow-ground.ts'
import { knownLabels } from './known-labels.ts'

type Ground = Pick<FlowGround, 'flows' | 'labels' | 'store'>

const labelOf = ({ type, data }: FlowNode): string | null => {
  if (type === 'label') return data.labelId
  if (type === 'trigger' && data.start.kind === 'label_set') return data.start.labelId
  return type === 'condition' && data.test.kind === 'label' ? data.test.labelId : null
}

const problem = (kind: FlowProblem['kind'], nodeId: string | null, sentence: string): FlowProblem => ({
  kind,
  severity: 'error',
  nodeId,
  sentence,
})

type IsThere = (store: EventStore, owner: string, id: string) => Promise<boolean>

/** Reads backwards: only in-flight events follow a removal. */
const isConnectionThere: IsThere = async (store, owner, id) => {
  const stream = streamName('connection', id)
  for await (const [first] of store.read(stream, { max: 1 })) {
    if (first?.metadata.owner !== owner) return false
    for await (const page of store.readBack(stream)) return !page.some(({ type }) => type === 'ConnectionRemoved')
  }
  return false
}

const isFileThere: IsThere = async (store, owner, id) => {
  for await (const page of store.readBack(streamName('media', id))) {
    if (page[0]?.metadata.owner !== owner) return false
    const last = page.find(({ type }) => type === 'MediaStored' || type === 'MediaErased')
    if (last) return last.type === 'MediaStored'
  }
  return false
}

const once = (isThere: IsThere, { store }: Ground, owner: string) => {
  const known = new Map<string, boolean>()
  return async (id: string): Promise<boolean> => {
    const found = known.get(id) ?? (await isThere(store, owner, id))
    known.set(id, found)
    return found
  }
}

const missingConnections = async (
  ground: Ground,
  owner: string,
  connectionIds: readonly string[],
): Promise<FlowProblem[]> => {
  for (const id of new Set(connectionIds))
    if (!(await isConnectionThere(ground.store, owner, id)))
      return [problem('no_connection', null, 'Uma conexão escolhida em Configurações não existe mais: desmarque-a.')]
  return []
}

/** References deleted since, or imported from another tenant. */
export const missingReferences = async (
  ground: Ground,
  owner: string,
  { nodes, settings }: FlowDocument,
  slice: TimeSlice,
): Promise<FlowProblem[]> => {
  const { flows, labels } = ground
  const known = nodes.some((node) => labelOf(node) !== null) ? await labels.load(owner, owner) : knownLabels.initial
  const problems = await missingConnections(ground, owner, settings.connectionIds)
  const gone = new Map<string, boolean>()
  const isGone = async (flowId: string): Promise<boolean> => {
    const found = gone.get(flowId) ?? (await flows.load(flowId, owner)).status !== 'standing'
    gone.set(flowId, found)
    return found
  }
  const hasFile = once(isFileThere, ground, owner)
  for (const node of nodes) {
    if (slice.isDue()) await slice.turn()
    const labelId = labelOf(node)
    if (labelId !== null && !known.has(labelId))
      problems.push(problem('no_label', node.id, 'Esta etiqueta não existe mais: escolha outra.'))
    const flowId = node.type === 'flow' ? node.data.flowId : null
    if (flowId !== null && (await isGone(flowId)))
      problems.push(problem('no_flow', node.id, 'O fluxo seguinte não existe mais: escolha outro.'))
    const file = node.type === 'message' ? node.data.file : null
    if (file && !(await hasFile(file.file.id)))
      problems.push(problem('no_file', node.id, `O arquivo “${file.fileName}” não existe mais: envie-o de novo.`))
  }
  return problems
}
