import { flowId } from '@prosa/contracts/flows/flow-document'
import { streamName } from '@prosa/contracts/streams'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'

/** Also deleted ones; refuses unknown, foreign and malformed ids alike. */
export const requireFlow = async ({ store }: Pick<Ports, 'store'>, tenant: string, asked: string): Promise<string> => {
  const id = flowId.safeParse(asked)
  if (!id.success) throw refuse('flow_not_found')
  for await (const [first] of store.read(streamName('flow', id.data), { max: 1 }))
    if (first?.metadata.tenant === tenant) return id.data
  throw refuse('flow_not_found')
}
