import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from '../media-handler.ts'
import { countFile, uncounted } from './queries.ts'

const atOnce = 100
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** For files from before there was a count. Unreadable streams are retried next time. */
export const countFiles = async (
  { pool, log }: Pick<Ports, 'pool' | 'log'>,
  medias: Pick<MediaHandler, 'load'>,
  signal?: AbortSignal,
): Promise<void> => {
  const count = async (id: string, owner: string) => {
    const state = await medias.load(id, owner)
    await countFile(pool, id, state.status === 'stored' ? state.file.bytes : 0)
  }
  let files = await uncounted(pool, beforeAll, atOnce)
  while (files.length > 0) {
    for (const { id, owner } of files) {
      if (signal?.aborted) return
      await count(id, owner).catch((error: unknown) => log.warn({ err: error, media: id }, 'stored file not counted'))
    }
    files = await uncounted(pool, files.at(-1)?.id ?? beforeAll, atOnce)
  }
}
