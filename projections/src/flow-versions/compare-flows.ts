import { isDeepStrictEqual } from 'node:util'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'

/** Without canvas positions. */
const stepsOf = ({ nodes, links }: FlowDocument): Map<string, unknown> => {
  const outputs = new Map<string, Record<string, string>>()
  for (const { source, sourceHandle, target } of links)
    outputs.set(source, { ...outputs.get(source), [sourceHandle ?? '']: target })
  return new Map(nodes.map(({ id, type, data }) => [id, { type, data, outputs: outputs.get(id) ?? {} }]))
}

export interface FlowChanges {
  added: number
  removed: number
  changed: number
}

export const compareFlows = (before: FlowDocument | undefined, after: FlowDocument): FlowChanges => {
  const [former, now] = [before ? stepsOf(before) : new Map<string, unknown>(), stepsOf(after)]
  const common = [...now].filter(([id]) => former.has(id))
  return {
    added: now.size - common.length,
    removed: former.size - common.length,
    changed: common.filter(([id, step]) => !isDeepStrictEqual(step, former.get(id))).length,
  }
}
