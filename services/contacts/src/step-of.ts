import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'

/** The context of one step of something larger: its events have ids of their own, the same ones when it is done again. */
export const stepOf = (context: CommandContext, ...parts: readonly string[]): CommandContext => ({
  ...context,
  commandId: deriveId(context.commandId, ...parts),
})
