import { mediaFolder } from '@prosa/contracts/media-file-name'
import { later } from '@prosa/kernel/clock'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from './media-handler.ts'
import { markErased } from './queries.ts'

export interface EraseDeps {
  ports: Pick<Ports, 'pool' | 'clock' | 'files'>
  medias: MediaHandler
}

/** Longer than any file takes to come. */
const lookAgainMs = 3_600_000

/**
 * Deletes all files of a contact, or of a tenant. First each stream is closed: what a fetch or an upload under way puts down after
 * that, it deletes itself; or, if its process dies just then, the cleanup that looks once more.
 */
export const eraseFiles = async (
  { ports: { pool, clock, files }, medias }: EraseDeps,
  whose: { contactId: string } | { owner: string },
  context: CommandContext,
): Promise<void> => {
  for (const { id, owner } of await markErased(pool, whose, later(clock.now(), lookAgainMs))) {
    const outcome = await medias(id, { type: 'EraseMedia', data: {} }, context)
    if (!outcome.ok) throw new Error('the file belongs to another tenant than its contact')
    await files.deleteAll(mediaFolder(owner, id))
  }
}
