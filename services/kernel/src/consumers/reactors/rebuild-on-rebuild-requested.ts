import { parseStream } from '@prosa/contracts/streams'
import type { Pool } from 'pg'
import type { ReadModelRebuildHandler } from '../projections/rebuild/read-model-rebuild.ts'
import { requestRebuild } from '../projections/rebuild/rebuild-queries.ts'
import type { Reactor } from './reactor.ts'

/** Passes requests to the projection's process; skips finished ones. */
export const rebuildOnRebuildRequested = ({
  pool,
  rebuilds,
}: {
  pool: Pool
  rebuilds: Pick<ReadModelRebuildHandler, 'load'>
}): Reactor => ({
  name: 'rebuild-on-rebuild-requested',
  categories: ['readModelRebuild'],
  key: ({ stream }) => stream,
  on: {
    async ReadModelRebuildRequested({ id, stream, data: { rebuildId }, metadata }) {
      const { id: name } = parseStream(stream)
      if ((await rebuilds.load(name, null)).rebuildId !== rebuildId) return
      const { correlationId, recordedAt } = metadata
      await requestRebuild(pool, name, { rebuildId, eventId: id, correlationId }, recordedAt)
    },
  },
})
