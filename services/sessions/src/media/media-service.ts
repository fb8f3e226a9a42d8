import type { Service } from '@prosa/product/ports'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { outbox } from '../outbox/outbox.ts'
import { type FetchingDeps, fetchMedia } from './fetching.ts'
import { eraseMediaOnUserErased, keepMediaOfChat } from './keep-media-of-chat.ts'
import { keepMediaOfFlows } from './keep-media-of-flows.ts'
import { runCleanup } from './media-cleanup.ts'
import { mediaHandler } from './media-handler.ts'
import { countWanted } from './queries.ts'
import { mediaRoutes } from './routes.ts'
import { storageReservations } from './storage/storage-reservations.ts'

export type MediaSettings = Pick<FetchingDeps, 'loopback' | 'pauses' | 'silence'>

export const media = (settings: MediaSettings): Service => ({
  name: 'media',
  partOf: 'sessions',
  migrations: sessionMigrations,
  async mount(ports) {
    const medias = mediaHandler(ports)
    const reservations = storageReservations(ports)
    let refusedForStorage = 0
    const onStorageFull = () => {
      refusedForStorage += 1
    }
    return {
      routes: mediaRoutes(ports, medias, reservations),
      reactors: [keepMediaOfChat(ports, medias), keepMediaOfFlows(ports), eraseMediaOnUserErased(ports, medias)],
      async run(signal) {
        await Promise.all([
          fetchMedia(
            { ports, medias, reservations, outbox: outbox(ports.pool, ports.box), onStorageFull, ...settings },
            signal,
          ),
          runCleanup({ ports, medias }, signal),
        ])
      },
      async metrics() {
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
          {
            name: 'prosa_media_without_room_total',
            help: 'Received files that were not fetched, as their tenant may keep no more.',
            kind: 'counter',
            value: refusedForStorage,
          },
        ]
      },
    }
  },
})
