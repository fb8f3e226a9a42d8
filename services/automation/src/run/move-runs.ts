import { parseStream } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { FlowRuns } from './flow-run-state.ts'
import { noRecentFlows } from './recent-flows.ts'
import type { FlowRunHandlers } from './run-handlers.ts'
import { waitsForPerson } from './waits-for-person.ts'

/** Moves runs, counts and wait to the present survivor. After a separation they stay. */
export const runsMover = (handlers: FlowRunHandlers) => {
  const { give, runs: flowRuns, personAt, clock, limits } = handlers
  const { isFinishedBetween } = waitsForPerson(handlers)

  /** Runs that an interrupted attempt moved away to another, before a separation: that one takes them over. */
  const completeMoves = async (
    { moved }: FlowRuns,
    { from, except }: { from: string; except: string },
    stepTo: (to: string) => CommandContext,
  ) => {
    for (const to of new Set(moved.map((each) => each.to))) {
      if (to === except) continue
      const runs = moved.filter((each) => each.to === to).map(({ run }) => run)
      const nothingElse = { recent: noRecentFlows, paused: null, handedOverAt: null }
      const data = { from, runs, at: clock.now(), limits, ...nothingElse }
      await give(to, { type: 'TakeRunsOver', data }, stepTo(to))
    }
  }

  return async (event: StoredOf<'ContactAbsorbed'>, owner: string, context: CommandContext): Promise<void> => {
    const from = parseStream(event.stream).id
    const { asOf: _, ...rest } = context
    const stepTo = (to: string) => ({ ...rest, commandId: deriveId(context.commandId, to) })
    const survivor = await personAt(owner, from)
    if (survivor.id === from) {
      await completeMoves(await flowRuns.load(from, owner), { from, except: from }, stepTo)
      return
    }
    const moved = await give(from, { type: 'MoveRunsAway', data: { to: survivor.id } }, context)
    if (!moved.ok) throw new Error('the runs belong to another tenant')
    await completeMoves(moved.state, { from, except: survivor.id }, stepTo)
    const runs = moved.state.moved.filter(({ to }) => to === survivor.id).map(({ run }) => run)
    const { recent, paused, handedOver } = moved.state
    const waits = handedOver !== null && !(await isFinishedBetween(survivor.id, owner, event.position))
    if (runs.length + recent.starts.length + recent.messages.length === 0 && !paused && !waits) return
    const at = clock.now()
    const step = stepTo(survivor.id)
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
