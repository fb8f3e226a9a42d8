import { setTimeout as delay } from 'node:timers/promises'
import { mediaFolder } from '@prosa/contracts/media-file-name'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from './media-handler.ts'
import { forgetFile, sweepable } from './queries.ts'
import { countFiles } from './room/count-files.ts'
import { sweepRoom } from './room/queries.ts'

export interface SweepDeps {
  ports: Pick<Ports, 'pool' | 'clock' | 'files' | 'log'>
  medias: MediaHandler
}

const name = 'sweep-media'
const betweenSweepsMilliseconds = 10 * 60_000

/**
 * Deletes uploads whose time is over and that nobody was sent, and what may be left of erased files; counts what was kept before
 * anybody counted.
 */
export const sweepMedia = async ({ ports, medias }: SweepDeps, signal?: AbortSignal): Promise<void> => {
  const { pool, clock, files } = ports
  for (const { id, owner, state } of await sweepable(pool, clock.now())) {
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
    // A message took it in the last moment: its reactor will say so.
    if (state !== 'erased' && status === 'stored') continue
    await files.deleteAll(mediaFolder(owner, id))
    await forgetFile(pool, id)
  }
  await sweepRoom(pool, clock.now())
  await countFiles(ports, medias, signal)
}

/** Sweeps at the start and every ten minutes until the signal aborts. */
export const keepSweeping = async (deps: SweepDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await sweepMedia(deps, signal).catch((error: unknown) =>
      deps.ports.log.warn({ err: error }, 'sweep of media interrupted'),
    )
    await delay(betweenSweepsMilliseconds, undefined, { signal }).catch(() => signal.aborted)
  }
}
