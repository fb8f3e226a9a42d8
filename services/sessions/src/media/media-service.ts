import type { Service } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'
import { type FetchingDeps, fetchMedia } from './fetching.ts'
import { eraseMediaOnUserErased, keepMediaOfChat } from './keep-media-of-chat.ts'
import { mediaHandler } from './media-handler.ts'
import { countWanted } from './queries.ts'
import { mediaRoutes } from './routes.ts'
import { keepSweeping } from './sweeping.ts'
import { mediaSchema } from './table.ts'

const migrationLock = 724_013

/** What is set from outside; only tests change durations. */
export type MediaSettings = Pick<FetchingDeps, 'loopback' | 'pauses' | 'silence'>

/** The files of messages: those that are uploaded to be sent, those that arrive, and the end of both. */
export const media = (settings: MediaSettings): Service => ({
  name: 'media',
  async mount(ports) {
    await transaction(ports.pool, async (client) => {
      // Two processes may start at once.
      await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
      await client.query(mediaSchema)
    })
    const medias = mediaHandler(ports)
    return {
      routes: mediaRoutes(ports, medias),
      reactors: [keepMediaOfChat(ports, medias), eraseMediaOnUserErased(ports, medias)],
      async run(signal) {
        await Promise.all([fetchMedia({ ports, medias, ...settings }, signal), keepSweeping({ ports, medias }, signal)])
      },
      async figures() {
        const { waiting, failing } = await countWanted(ports.pool)
        const gauge = { kind: 'gauge' } as const
        return [
          {
            ...gauge,
            name: 'prosa_media_waiting',
            help: 'Files that are to be fetched from WhatsApp.',
            value: waiting,
          },
          { ...gauge, name: 'prosa_media_failing', help: 'Those of them that were tried in vain.', value: failing },
        ]
      },
    }
  },
})
