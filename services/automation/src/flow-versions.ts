import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { streamName } from '@prosa/contracts/streams'
import type { Ports } from '@prosa/kernel/ports'
import type { FlowHandlers } from './flow-handlers.ts'

type Deps = Pick<FlowHandlers, 'flows'> & Pick<Ports, 'store' | 'codec'>

/** Reads only one event from the log. */
export const findFlowVersion = async (
  { flows, store, codec }: Deps,
  tenant: string,
  flowId: string,
  version: number,
): Promise<FlowDocument | undefined> => {
  const { versionsAt } = await flows.load(flowId, tenant)
  const at = versionsAt[version - 1]
  if (at === undefined) return undefined
  for await (const page of store.read(streamName('flow', flowId), { from: BigInt(at), max: 1 })) {
    const [event] = await codec.decode(page)
    if (event?.type === 'FlowPublished' && event.data.version === version) return event.data.document
  }
  throw new Error(`flow-${flowId}: version ${version} is not where it was published`)
}
