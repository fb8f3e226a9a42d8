import { mediaFolder } from '@prosa/contracts/media-file-name'
import { repeat } from '@prosa/kernel/async/retry'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from './media-handler.ts'
import { filesToCleanUp, forgetFile } from './queries.ts'
import { countFiles } from './storage/count-files.ts'
import { deleteOldIncoming } from './storage/queries.ts'

export interface CleanupDeps {
  ports: Pick<Ports, 'pool' | 'clock' | 'files' | 'log'>
  medias: MediaHandler
}

const name = 'sweep-media'
const betweenCleanupsMs = 10 * 60_000

/** Deletes expired unsent uploads and remains of erased files. */
export const cleanUpMedia = async ({ ports, medias }: CleanupDeps, signal?: AbortSignal): Promise<void> => {
  const { pool, clock, files } = ports
  for (const { id, owner, state } of await filesToCleanUp(pool, clock.now())) {
    const commandId = deriveId(name, id)
    const context = {
      commandId,
      actor: { kind: 'system', id: name },
      owner,
      causationId: id,
      correlationId: id,
    } as const
    await medias(id, { type: 'EraseUnsentMedia', data: {} }, context)
    const { status } = await medias.load(id, owner)
    // A message took it just now: its reactor will record that.
    if (state !== 'erased' && status === 'stored') continue
    await files.deleteAll(mediaFolder(owner, id))
    await forgetFile(pool, id)
  }
  await deleteOldIncoming(pool, clock.now())
  await countFiles(ports, medias, signal)
}

export const runCleanup = async (deps: CleanupDeps, signal: AbortSignal): Promise<void> => {
  const onFailure = (error: unknown) => deps.ports.log.warn({ err: error }, 'cleanup of media interrupted')
  await repeat(() => cleanUpMedia(deps, signal), { signal, pauseAfter: () => betweenCleanupsMs, onFailure })
}
