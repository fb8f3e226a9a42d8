import { mediaFolder } from '@prosa/contracts/media-file-name'
import { repeat } from '@prosa/kernel/async/retry'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from './media-handler.ts'
import { filesToCleanUp, forgetFile } from './queries.ts'
import { countFile, deleteOldIncoming, uncounted } from './storage/queries.ts'

const atOnce = 100
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** For files from before there was a count. Unreadable streams are retried next time. */
const countFiles = async (
  { pool, log }: Pick<Ports, 'pool' | 'log'>,
  medias: Pick<MediaHandler, 'load'>,
  signal?: AbortSignal,
): Promise<void> => {
  const count = async (id: string, tenant: string) => {
    const state = await medias.load(id, tenant)
    await countFile(pool, id, state.status === 'stored' ? state.file.bytes : 0)
  }
  let files = await uncounted(pool, beforeAll, atOnce)
  while (files.length > 0) {
    for (const { id, tenant } of files) {
      if (signal?.aborted) return
      await count(id, tenant).catch((error: unknown) => log.warn({ err: error, media: id }, 'stored file not counted'))
    }
    files = await uncounted(pool, files.at(-1)?.id ?? beforeAll, atOnce)
  }
}

export interface CleanupDeps {
  ports: Pick<Ports, 'pool' | 'clock' | 'files' | 'log'>
  medias: MediaHandler
}

const name = 'sweep-media'
const betweenCleanupsMs = 10 * 60_000

/** Deletes expired unsent uploads and remains of erased files. */
export const cleanUpMedia = async ({ ports, medias }: CleanupDeps, signal?: AbortSignal): Promise<void> => {
  const { pool, clock, files } = ports
  for (const { id, tenant, state } of await filesToCleanUp(pool, clock.now())) {
    const commandId = deriveId(name, id)
    const context = {
      commandId,
      actor: { kind: 'system', id: name },
      tenant,
      causationId: id,
      correlationId: id,
    } as const
    await medias(id, { type: 'EraseUnsentMedia', data: {} }, context)
    const { status } = await medias.load(id, tenant)
    // A message took it just now: its reactor will record that.
    if (state !== 'erased' && status === 'stored') continue
    await files.deleteAll(mediaFolder(tenant, id))
    await forgetFile(pool, id)
  }
  await deleteOldIncoming(pool, clock.now())
  await countFiles(ports, medias, signal)
}

export const runCleanup = async (deps: CleanupDeps, signal: AbortSignal): Promise<void> => {
  const onFailure = (error: unknown) => deps.ports.log.warn({ err: error }, 'cleanup of media interrupted')
  await repeat(() => cleanUpMedia(deps, signal), { signal, pauseAfter: () => betweenCleanupsMs, onFailure })
}
