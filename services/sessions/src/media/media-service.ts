import type { Service } from '@prosa/kernel/ports'
import { outbox } from '../outbox/outbox.ts'
import { createSessionTables } from '../tables.ts'
import { type FetchingDeps, fetchMedia } from './fetching.ts'
import { eraseMediaOnUserErased, keepMediaOfChat } from './keep-media-of-chat.ts'
import { mediaHandler } from './media-handler.ts'
import { countWanted } from './queries.ts'
import { fileRoom } from './room/file-room.ts'
import { mediaRoutes } from './routes.ts'
import { keepSweeping } from './sweeping.ts'

/** What is set from outside; only tests change durations. */
export type MediaSettings = Pick<FetchingDeps, 'loopback' | 'pauses' | 'silence'>

/** The files of messages: those that are uploaded to be sent, those that arrive, and the end of both. */
export const media = (settings: MediaSettings): Service => ({
  name: 'media',
  async mount(ports) {
    await createSessionTables(ports.pool)
    const medias = mediaHandler(ports)
    const room = fileRoom(ports)
    let withoutRoom = 0
    const onNoRoom = () => {
      withoutRoom += 1
    }
    return {
      routes: mediaRoutes(ports, medias, room),
      reactors: [keepMediaOfChat(ports, medias), eraseMediaOnUserErased(ports, medias)],
      async run(signal) {
        await Promise.all([
          fetchMedia({ ports, medias, room, outbox: outbox(ports.pool, ports.box), onNoRoom, ...settings }, signal),
          keepSweeping({ ports, medias }, signal),
        ])
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
          {
            name: 'prosa_media_without_room_total',
            help: 'Received files that were not fetched, as their tenant may keep no more.',
            kind: 'counter',
            value: withoutRoom,
          },
        ]
      },
    }
  },
})
