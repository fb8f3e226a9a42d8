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

/** Longer than any download. */
const recheckMs = 3_600_000

/** Streams are closed first: a fetch or upload under way then deletes its own file; if its process dies, the cleanup does. */
export const eraseFiles = async (
  { ports: { pool, clock, files }, medias }: EraseDeps,
  whose: { contactId: string } | { owner: string },
  context: CommandContext,
): Promise<void> => {
  for (const { id, owner } of await markErased(pool, whose, later(clock.now(), recheckMs))) {
    const outcome = await medias(id, { type: 'EraseMedia', data: {} }, context)
    if (!outcome.ok) throw new Error('the file belongs to another tenant than its contact')
    await files.deleteAll(mediaFolder(owner, id))
  }
}
