import { parseStream } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { FlowRunHandlers } from './run-handlers.ts'
import { waitsForPerson } from './waits-for-person.ts'

/** Moves runs, counts and wait to the survivor. */
export const runsMover = (handlers: FlowRunHandlers) => {
  const { give, personAt, clock, limits } = handlers
  const { isFinishedBetween } = waitsForPerson(handlers)

  return async (event: StoredOf<'ContactAbsorbed'>, owner: string, context: CommandContext): Promise<void> => {
    const from = parseStream(event.stream).id
    const survivor = await personAt(owner, event.data.into)
    const moved = await give(from, { type: 'MoveRunsAway', data: { to: survivor.id } }, context)
    if (!moved.ok) throw new Error('the runs belong to another tenant')
    const runs = moved.state.moved.filter(({ to }) => to === survivor.id).map(({ run }) => run)
    const { recent, paused, handedOver } = moved.state
    const waits = handedOver !== null && !(await isFinishedBetween(survivor.id, owner, event.position))
    if (runs.length + recent.starts.length + recent.messages.length === 0 && !paused && !waits) return
    const at = clock.now()
    const { asOf: _, ...rest } = context
    const step = { ...rest, commandId: deriveId(context.commandId, survivor.id) }
    const handedOverAt = waits ? event.metadata.recordedAt : null
    const data = { from, runs, at, recent, paused, limits, handedOverAt }
    await give(survivor.id, { type: 'TakeRunsOver', data }, step)
    // Finished between read and append: no event follows, as nobody waited.
    if (waits && (await isFinishedBetween(survivor.id, owner, event.position))) {
      const finished = { ...step, commandId: deriveId(step.commandId, 'finished') }
      await give(survivor.id, { type: 'ResumeFlows', data: { at: clock.now(), isFinished: true } }, finished)
    }
    if (survivor.state.status !== 'attending') return
    const last = { ...step, commandId: deriveId(step.commandId, 'attended') }
    await give(survivor.id, { type: 'EndRuns', data: { at, reason: 'accepted' } }, last)
  }
}
