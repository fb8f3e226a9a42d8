import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/product/ports'
import type { FlowHandlers } from './flow-handlers.ts'
import type { KnownPlaces } from './known-places.ts'

export type FlowGround = FlowHandlers & Pick<Ports, 'store' | 'codec' | 'drafts' | 'spending'> & { places: KnownPlaces }

const sideBySide = 8

/** Returns the last event's position. */
export const deleteFlows = async (
  { flows, places, drafts }: Pick<FlowGround, 'flows' | 'places' | 'drafts'>,
  ids: readonly string[],
  context: CommandContext & { owner: string },
): Promise<Position | null> => {
  const left = [...ids]
  let latest: Position | null = null
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const outcome = await flows(id, { type: 'DeleteFlow', data: {} }, context)
      if (outcome.ok && outcome.position !== null && outcome.position > (latest ?? '')) latest = outcome.position
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, work))
  await drafts.drop(context.owner, ids)
  places.note(context.owner, latest)
  return latest
}

export const deleteFlowsIn = async (
  ground: Pick<FlowGround, 'flows' | 'places' | 'drafts'>,
  owner: string,
  folderId: string,
  context: CommandContext,
): Promise<Position | null> => deleteFlows(ground, await ground.places.flowsIn(owner, folderId), { ...context, owner })
