import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from '../media-handler.ts'
import { countFile, uncounted } from './queries.ts'

const atOnce = 100

/** Counts the bytes of files that came before anybody counted them, by what their streams say. */
export const countFiles = async (
  pool: Ports['pool'],
  medias: Pick<MediaHandler, 'load'>,
  signal?: AbortSignal,
): Promise<void> => {
  for (let files = await uncounted(pool, atOnce); files.length > 0; files = await uncounted(pool, atOnce)) {
    for (const { id, owner } of files) {
      if (signal?.aborted) return
      const state = await medias.load(id, owner)
      await countFile(pool, id, state.status === 'stored' ? state.file.bytes : 0)
    }
  }
}
