import { parseStream, streamName } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { FlowRuns } from './flow-run-state.ts'
import type { FlowRunHandlers } from './run-handlers.ts'

const isTransfer = ({ type, data }: RecordedEvent): boolean =>
  (type === 'FlowRunEnded' && data.reason === 'handed_over') ||
  (type === 'FlowCountsTakenOver' && data.handedOverAt !== undefined)

/**
 * When the wait of somebody ends whom a flow handed over to a person. The transfer and the end of the conversation stand in streams of
 * their own: which came first is told by their positions in the log, as the clocks of two processes may differ.
 */
export const waitsForPerson = ({ store, runs, give }: Pick<FlowRunHandlers, 'store' | 'runs' | 'give'>) => {
  /** Where the contact was handed over to a person last. */
  const transferOf = async (contactId: string): Promise<Position | undefined> => {
    for await (const page of store.readBack(streamName('flowRun', contactId)))
      for (const event of page) if (isTransfer(event)) return event.position
    return undefined
  }

  /** `before` undefined: until now. */
  const isFinishedBetween = async (contactId: string, after: Position, before?: Position): Promise<boolean> => {
    for await (const page of store.readBack(streamName('contact', contactId)))
      for (const { type, position } of page) {
        if (position <= after) return false
        if (type === 'ConversationResolved' && (before === undefined || position < before)) return true
      }
    return false
  }

  return {
    isFinishedBetween,

    /** Whether an event is the end of the wait: not where a flow has handed over once more since. */
    async endsWait(event: Stored): Promise<boolean> {
      const { id } = parseStream(event.stream)
      if (event.type !== 'ConversationResolved') return false
      const { handedOver } = await runs.load(id, event.metadata.owner)
      const transfer = handedOver && (await transferOf(id))
      return !!transfer && transfer < event.position
    },

    /**
     * Before 25 November 2026 nothing recorded that a person had finished a conversation that a flow had handed over: that is made up for
     * when something would start. Returns whether it was.
     */
    settleBefore:
      (event: Stored, contactId: string, context: CommandContext) =>
      async ({ handedOver }: FlowRuns): Promise<boolean> => {
        const transfer = handedOver && (await transferOf(contactId))
        if (!transfer || !(await isFinishedBetween(contactId, transfer, event.position))) return false
        const step = { ...context, commandId: deriveId(context.commandId, 'finished') }
        // As of the transfer: what was written since may start a flow.
        await give(contactId, { type: 'ResumeFlows', data: { at: handedOver.at, isFinished: true } }, step)
        return true
      },
  }
}
