import { parseStream } from '@prosa/contracts/streams'
import type { Pool } from 'pg'
import { requestDecision } from '../engine/parked-queries.ts'
import type { Reactor } from './reactor.ts'

/** Passes decisions to the worker, in any process. */
export const decideOnWorkRetried = (pool: Pool): Reactor => ({
  name: 'decide-on-work-retried',
  categories: ['parkedWork'],
  key: ({ stream }) => stream,
  on: {
    WorkRetried: ({ stream, data }) => requestDecision(pool, parseStream(stream).id, data.parkingId, 'retry'),
    WorkReleased: ({ stream, data }) => requestDecision(pool, parseStream(stream).id, data.parkingId, 'release'),
  },
})
