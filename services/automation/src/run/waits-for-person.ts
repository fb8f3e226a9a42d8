import { parseStream, streamName } from '@prosa/contracts/streams'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFoldBack } from '@prosa/kernel/domain/read-fold'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position, RecordedEvent } from '@prosa/kernel/event-store/port'
import type { FlowRuns } from './flow-run-state.ts'
import type { FlowRunHandlers } from './run-handlers.ts'

const isTransfer = ({ type, data }: RecordedEvent): boolean =>
  (type === 'FlowRunEnded' && data.reason === 'handed_over') ||
  (type === 'FlowCountsTakenOver' && data.handedOverAt !== undefined)

const finishedBetween = (after: Position, before?: Position): Reader<StoredOf<'ConversationResolved'>, boolean> => ({
  initial: false,
  evolve: {
    ConversationResolved: (isFinished, _, { position }) =>
      isFinished || (position > after && (before === undefined || position < before)),
  },
})

/** Transfer and end of conversation are in different streams: log positions decide, as clocks differ. */
export const waitsForPerson = ({
  store,
  codec,
  runs,
  give,
}: Pick<FlowRunHandlers, 'store' | 'codec' | 'runs' | 'give'>) => {
  const transferOf = async (contactId: string): Promise<Position | undefined> => {
    for await (const page of store.readBack(streamName('flowRun', contactId)))
      for (const event of page) if (isTransfer(event)) return event.position
    return undefined
  }

  /** `before` undefined: until now. */
  const isFinishedBetween = (id: string, owner: string | null, after: Position, before?: Position): Promise<boolean> =>
    readFoldBack({ store, codec }, 'contact', finishedBetween(after, before), {
      id,
      owner,
      isDone: (isFinished, page) => isFinished || page.some(({ position }) => position <= after),
    })

  return {
    isFinishedBetween,

    /** False if a flow transferred the contact again since. */
    async endsWait(event: Stored): Promise<boolean> {
      const { id } = parseStream(event.stream)
      if (event.type !== 'ConversationResolved') return false
      const { handedOver } = await runs.load(id, event.metadata.owner)
      const transfer = handedOver && (await transferOf(id))
      return !!transfer && transfer < event.position
    },

    /** Before 25 November 2026 nothing recorded that finishing ended a wait: made up for when something would start. */
    settleBefore:
      (event: Stored, contactId: string, context: CommandContext) =>
      async ({ handedOver }: FlowRuns): Promise<void> => {
        const transfer = handedOver && (await transferOf(contactId))
        if (!transfer || !(await isFinishedBetween(contactId, event.metadata.owner, transfer, event.position))) return
        const step = { ...context, commandId: deriveId(context.commandId, 'finished') }
        // So later messages may start a flow.
        await give(contactId, { type: 'ResumeFlows', data: { at: handedOver.at, isFinished: true } }, step)
      },
  }
}
