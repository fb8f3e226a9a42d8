import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { silentLog } from '../../observability/log.ts'
import { secretBox } from '../../privacy/secret-box.ts'
import type { ConsumerStatuses } from '../engine/consumer-status.ts'
import type { Projection } from '../projections/projection.ts'
import { runProjection } from '../projections/run-projection.ts'
import { type ReactorDeps, runReactor } from '../reactors/run-reactor.ts'
import { foldTimers } from '../timers/fold-timers.ts'
import { schedule, type TimerKind } from '../timers/timer.ts'

/** Three consumers that store a contact's names and fail at `poison`. */
export type Kind = 'reactor' | 'projection' | 'timers'

export interface Subject {
  /** Name of lock and epoch. */
  worker: string
  run(deps: SubjectDeps, signal: AbortSignal, statuses: ConsumerStatuses, version?: number): Promise<void>
  /** In order; timers keep only the last. */
  names(pool: Pool, who: string): Promise<string[]>
  keeps: 'all' | 'last'
}

export type SubjectDeps = Omit<ReactorDeps, 'box' | 'log'>

const refuse = (name: string) => {
  if (name === 'poison') throw new Error('poison')
}

const idOf = ({ stream }: { stream: string }) => stream.slice('contact-'.length)

interface Names {
  id: string
  names: string
}

const projection = (version: number): Projection<Names> => ({
  name: 'names-shown',
  version,
  categories: ['contact'],
  table: { name: 'names_shown', key: 'id', columns: { id: 'text collate "C"', names: 'text not null' } },
  on: {
    ContactNamed: {
      key: idOf,
      row(row, { stream, data }) {
        refuse(data.name)
        return { id: idOf({ stream }), names: `${row?.names ?? ''}${data.name};` }
      },
    },
  },
})

const timers = (version: number): TimerKind => ({
  kind: 'names',
  version,
  categories: ['contact'],
  on: {
    ContactNamed({ stream, data }) {
      refuse(data.name)
      return schedule(idOf({ stream }), '2999-01-01T00:00:00.000Z', data.name)
    },
  },
  fire: async () => undefined,
})

const box = secretBox(randomBytes(32))
const pauses = [1, 1]

export const createSubjectTable = (pool: Pool) =>
  pool.query(
    'create table name_taken (at bigint generated always as identity, who text, name text, unique (who, name))',
  )

export const subjects: Record<Kind, Subject> = {
  reactor: {
    worker: 'reactor take-names',
    keeps: 'all',
    run(deps, signal, statuses) {
      const reactor = {
        name: 'take-names',
        categories: ['contact'],
        key: idOf,
        on: {
          async ContactNamed({ stream, data }: { stream: string; data: { name: string } }) {
            refuse(data.name)
            const text = 'insert into name_taken (who, name) values ($1, $2) on conflict do nothing'
            await deps.pool.query(text, [idOf({ stream }), data.name])
          },
        },
      } as const
      return runReactor(reactor, { ...deps, box, pauses, log: silentLog() }, signal, statuses)
    },
    async names(pool, who) {
      const { rows } = await pool.query<{ name: string }>('select name from name_taken where who = $1 order by at', [
        who,
      ])
      return rows.map(({ name }) => name)
    },
  },
  projection: {
    worker: 'projection names-shown',
    keeps: 'all',
    run: (deps, signal, statuses, version = 1) =>
      runProjection(projection(version), { ...deps, log: silentLog() }, signal, statuses),
    async names(pool, who) {
      const { rows } = await pool
        .query<Names>('select names from names_shown where id = $1', [who])
        .catch(() => ({ rows: [] }))
      return (rows[0]?.names ?? '').split(';').slice(0, -1)
    },
  },
  timers: {
    worker: 'timers names',
    keeps: 'last',
    run: (deps, signal, statuses, version = 1) =>
      foldTimers(timers(version), { ...deps, log: silentLog() }, signal, statuses),
    async names(pool, who) {
      const { rows } = await pool.query<{ payload: string }>(
        `select payload from timer where kind = 'names' and key = $1`,
        [who],
      )
      return rows.map(({ payload }) => payload)
    },
  },
}
