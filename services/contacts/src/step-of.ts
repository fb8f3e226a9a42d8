import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'

/** Gives a step's events deterministic ids of their own. */
export const stepOf = (context: CommandContext, ...parts: readonly string[]): CommandContext => ({
  ...context,
  commandId: deriveId(context.commandId, ...parts),
})
