import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { beginning, type Position } from '../../../event-store/port.ts'
import { silentLog } from '../../../observability/log.ts'
import { transaction } from '../../../postgres/pool.ts'
import type { TestPostgres } from '../../../postgres/testing.ts'
import { everythingIn } from '../../../testing/everything-in.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'
import { until } from '../../../testing/until.ts'
import { loadCheckpoint } from '../../engine/checkpoints.ts'
import { Overtaken, takeOver } from '../../engine/epochs.ts'
import { listParked, requestDecision } from '../../engine/parked-queries.ts'
import { inBatches } from '../../testing/in-batches.ts'
import { idOf, type TestLog, testLog } from '../../testing/test-log.ts'
import type { Projection } from '../projection.ts'
import { readModelGate } from '../read-model-gate.ts'
import { runProjection } from '../run-projection.ts'
import { tenantParking } from './tenant-parking.ts'

interface Names {
  id: string
  names: string
}

type Poison = ReadonlySet<string>

const names = (poison: Poison, version = 1, after: readonly string[] = []): Projection<Names> => ({
  name: 'shown-names',
  version,
  categories: ['contact'],
  table: { name: 'shown_names', key: 'id', columns: { id: 'text collate "C"', names: 'text not null' }, after },
  on: {
    ContactNamed: {
      key: ({ stream }) => stream,
      row: (row, { stream, data }) => {
        if (poison.has(data.name)) throw new TypeError(`cannot read ${data.name}`)
        return { id: stream, names: `${row?.names ?? ''}${data.name};` }
      },
    },
    ContactErased: { key: ({ stream }) => stream, row: () => undefined },
  },
})

const healthy: Poison = new Set()
const poisoned: Poison = new Set(['poison'])
const worker = 'projection shown-names'
const contactOf = (tenant: string, contact = 'contact') => `contact-${idOf(`${tenant} ${contact}`)}`
const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })

describe('a tenant whose event cannot be folded', () => {
  let postgres: TestPostgres
  let log: TestLog
  let stopping: AbortController
  let running: Promise<void>[]
  beforeEach(async () => {
    postgres = await kernelDatabase()
    postgres.expectParkedTenants()
    log = testLog()
    stopping = new AbortController()
    running = []
  })
  afterEach(async () => {
    await stop()
    await postgres.drop()
  })

  const run = (projection: Projection<Names>, store = log.store) => {
    const { pool, url: databaseUrl } = postgres
    const deps = { codec: log.codec, store, pool, databaseUrl, log: silentLog(), clock: systemClock }
    running.push(runProjection(projection, deps, stopping.signal, new Map()))
  }
  const stop = async () => {
    stopping.abort()
    await Promise.all(running)
    stopping = new AbortController()
    running = []
  }
  const appendNames = (tenant: string, ...texts: string[]) => append(tenant, ...texts.map(named))
  const append = async (tenant: string, ...events: AnyEvent[]): Promise<Position> => {
    let end = beginning
    for (const event of events) end = await log.append(tenant, contactOf(tenant), event)
    return end
  }
  const reached = (position: Position, version = 1) =>
    until(async () => (await loadCheckpoint(postgres.pool, 'shown-names', version)) >= position)
  const shown = async (tenant: string): Promise<string | undefined> =>
    (await postgres.pool.query<Names>('select names from shown_names where id = $1', [contactOf(tenant)])).rows[0]
      ?.names
  const parked = () => listParked(postgres.pool, 10)
  const nothingParked = () => until(async () => (await parked()).length === 0)
  const recorded = async () => (await everythingIn(log.store, 'parkedWork')).map(({ type }) => type)
  const decide = async (request: 'retry' | 'release') => {
    const [row] = await until(async () => {
      const rows = await parked()
      return rows.every(({ isAnnounced }) => isAnnounced) && rows
    })
    if (!row) throw new Error('nothing is parked')
    await requestDecision(postgres.pool, row.id, row.parkingId, request)
  }
  const fold = async (appended: Promise<Position>, projection: Projection<Names>) => {
    const end = await appended
    run(projection)
    await reached(end)
  }
  const poisonAna = async () => {
    await appendNames('ana', 'a', 'b')
    await appendNames('bia', 'x')
    await appendNames('ana', 'poison', 'c')
    return appendNames('bia', 'y')
  }

  it('sees what came before it, and disturbs no other tenant', async () => {
    const end = await poisonAna()
    run(names(poisoned))
    await reached(end)
    const later = await appendNames('ana', 'd')
    await reached(await appendNames('bia', 'z'))
    expect([await shown('ana'), await shown('bia')]).toEqual(['a;b;', 'x;y;z;'])
    expect(later > end).toBe(true)
    expect(await parked()).toMatchObject([{ worker, tenant: 'ana', errorName: 'TypeError', waiting: 3, attempts: 1 }])
    await until(async () => (await recorded()).length === 1)
    expect(await recorded()).toEqual(['WorkParked'])
    const { rows } = await postgres.pool.query('select * from parked_event')
    expect(JSON.stringify(rows)).not.toMatch(/poison|"[cd]"/)
    expect(rows).toHaveLength(3)
  })

  it.each([
    ['one by one', [1]],
    ['in pages of many tenants', [100]],
    ['in pages of odd sizes', [3, 1, 7]],
  ])('is found in whatever pages the log comes: %s', async (_, sizes) => {
    for (let round = 0; round < 12; round++) {
      await appendNames(`tenant ${round % 4}`, `${round}`)
      if (round === 5 || round === 6) await appendNames(`tenant ${round % 4}`, 'poison')
    }
    const end = await appendNames('bia', 'z')
    run(names(poisoned), inBatches(log.store, sizes))
    await reached(end)
    expect(await Promise.all([0, 1, 2, 3].map((tenant) => shown(`tenant ${tenant}`)))).toEqual([
      '0;4;8;',
      '1;5;',
      '2;6;',
      '3;7;11;',
    ])
    expect((await parked()).map(({ tenant, waiting }) => [tenant, waiting])).toEqual([
      ['tenant 1', 2],
      ['tenant 2', 2],
    ])
  })

  it('is shown everything in order, once, when a mended process starts, and is served live from then on', async () => {
    const end = await poisonAna()
    run(names(poisoned))
    await reached(end)
    await stop()
    run(names(healthy))
    await nothingParked()
    await reached(await appendNames('ana', 'd'))
    expect([await shown('ana'), await shown('bia')]).toEqual(['a;b;poison;c;d;', 'x;y;'])
    expect(await recorded()).toEqual(['WorkParked', 'WorkResumed'])
    expect((await postgres.pool.query('select from parked_event')).rowCount).toBe(0)
  })

  it('stays as it is when a process starts that was not mended, without a word in the log', async () => {
    const end = await poisonAna()
    run(names(poisoned))
    await reached(end)
    const before = await until(async () => (await parked()).filter(({ isAnnounced }) => isAnnounced)[0])
    await stop()
    run(names(poisoned))
    await reached(await appendNames('bia', 'z'))
    await appendNames('ana', 'd')
    await until(async () => (await parked())[0]?.waiting === 3)
    expect((await parked())[0]).toMatchObject({ parkingId: before.parkingId, eventId: before.eventId })
    expect(await recorded()).toEqual(['WorkParked'])
  })

  it('goes on when an administrator has it retried after the mend, however much waits', async () => {
    const poison = new Set(['poison'])
    await appendNames('ana', 'a', 'poison')
    const waiting = Array.from({ length: 1200 }, (_, index) => `${index}`)
    await fold(appendNames('ana', ...waiting), names(poison))
    poison.clear()
    await decide('retry')
    await until(async () => {
      await appendNames('bia', 'x')
      return (await parked()).length === 0
    })
    expect(await shown('ana')).toBe(`${['a', 'poison', ...waiting].join(';')};`)
    expect(await recorded()).toEqual(['WorkParked', 'WorkResumed'])
  })

  it('is parked again, anew, where a retry does not help, at the event that fails now', async () => {
    const poison = new Set(['poison', 'venom'])
    await appendNames('ana', 'a', 'poison', 'b')
    await fold(appendNames('ana', 'venom', 'c'), names(poison))
    const [before] = await parked()
    poison.delete('poison')
    await decide('retry')
    const after = await until(async () => (await parked()).find(({ waiting, request }) => waiting === 2 && !request))
    expect(after.parkingId).not.toBe(before?.parkingId)
    expect(await shown('ana')).toBe('a;poison;b;')
    await until(async () => (await recorded()).length === 2)
    expect(await recorded()).toEqual(['WorkParked', 'WorkParked'])
  })

  it('goes on without the event that an administrator released, also in later versions that cannot fold it', async () => {
    await fold(poisonAna(), names(poisoned))
    await decide('release')
    await nothingParked()
    expect(await shown('ana')).toBe('a;b;c;')
    await stop()
    const end = await appendNames('ana', 'd')
    run(names(poisoned, 2))
    await reached(end, 2)
    expect([await shown('ana'), (await parked()).length]).toEqual(['a;b;c;d;', 0])
    await stop()
    run(names(poisoned, 3))
    await reached(end, 3)
    expect([await shown('ana'), (await parked()).length]).toEqual(['a;b;c;d;', 0])
    await stop()
    run(names(healthy, 4))
    await reached(end, 4)
    expect(await shown('ana')).toBe('a;b;poison;c;d;')
  })

  it.each([
    ['breaks a constraint', 'alter table shown_names add constraint sober check (names !~ $$poison$$)', 'poison'],
    ['is too long for an index', 'create index on shown_names (names)', 'poison'.repeat(10_000)],
  ])('is the only one parked when its row %s', async (_, prepare, name) => {
    await fold(appendNames('bia', 'w'), names(healthy))
    await stop()
    await postgres.pool.query(prepare)
    // Random: repetitive text would be compressed.
    const long = name.length > 100 ? Buffer.from(crypto.getRandomValues(new Uint8Array(9000))).toString('hex') : name
    await appendNames('ana', 'a', 'b')
    await appendNames('bia', 'x')
    await appendNames('ana', long, 'c')
    await fold(appendNames('bia', 'y'), names(healthy))
    expect([await shown('ana'), await shown('bia')]).toEqual(['a;b;', 'w;x;y;'])
    expect(await parked()).toMatchObject([
      { tenant: 'ana', waiting: 2, message: expect.stringMatching(/^PostgreSQL (23|54)/) },
    ])
  })

  it('may be one of whom nobody knows what it wrote: what cannot be decoded parks as well', async () => {
    const id = idOf('painted')
    const metadata = {
      causationId: id,
      correlationId: id,
      actor: { kind: 'system', id: 'test' } as const,
      tenant: 'ana',
      recordedAt: '2026-11-21T12:00:00.000Z',
      schemaVersion: 1,
    }
    await appendNames('ana', 'a')
    await log.store.append(contactOf('ana', 'other'), 'no_stream', [{ id, type: 'ContactPainted', data: {}, metadata }])
    await appendNames('ana', 'b')
    await fold(appendNames('bia', 'x'), names(healthy))
    expect([await shown('ana'), await shown('bia')]).toEqual(['a;', 'x;'])
    await decide('release')
    await nothingParked()
    expect(await shown('ana')).toBe('a;b;')
  })

  it('has what it erases erased at once, although its events wait', async () => {
    await fold(poisonAna(), names(poisoned))
    expect(await shown('ana')).toBe('a;b;')
    await reached(await append('ana', { type: 'ContactErased', data: {} }, named('new')))
    expect(await shown('ana')).toBeUndefined()
    await stop()
    run(names(healthy))
    await nothingParked()
    expect(await shown('ana')).toBe('new;')
  })

  it('is known to every process by the time that its events are passed, until it is served again', async () => {
    const gate = readModelGate(postgres.pool, postgres.url, stopping.signal, () => undefined)
    const resumed: string[] = []
    gate.onResumed((tenant) => resumed.push(tenant))
    const end = await poisonAna()
    const poison = new Set(['poison'])
    run(names(poison))
    expect(await gate.reached(['shown-names'], end, 10_000)).toBe(true)
    expect([gate.isParked(['shown-names'], 'ana'), gate.isParked(['shown-names'], 'bia')]).toEqual([true, false])
    expect(gate.isParked(['another'], 'ana')).toBe(false)
    const late = readModelGate(postgres.pool, postgres.url, stopping.signal, () => undefined)
    await until(() => late.isParked(['shown-names'], 'ana'))
    const versions = ['ana', 'bia'].map((tenant) => gate.version('shown-names', tenant))
    poison.clear()
    await decide('retry')
    await until(() => resumed.length > 0)
    expect(resumed).toEqual(['ana'])
    expect([gate, late].map((each) => each.isParked(['shown-names'], 'ana'))[0]).toBe(false)
    await until(() => !late.isParked(['shown-names'], 'ana'))
    expect(gate.version('shown-names', 'ana')).not.toBe(versions[0])
    expect(gate.version('shown-names', 'bia')).toBe(versions[1])
  })

  it('is not parked, put in line or served by a process that was overtaken', async () => {
    const { pool } = postgres
    const epoch = await takeOver(pool, worker)
    const overtaken = await tenantParking({ pool, clock: systemClock, epoch, worker, version: 1 })
    await appendNames('ana', 'a')
    const [event] = await everythingIn(log.store, 'contact')
    if (!event) throw new Error('nothing was appended')
    await takeOver(pool, worker)
    for (const store of [overtaken.hold, overtaken.refuse(event, new Error('cannot be folded')).store])
      await expect(transaction(pool, store)).rejects.toThrow(Overtaken)
    overtaken.add('ana')
    await expect(transaction(pool, async (db) => overtaken.divide([event]).alongside?.store(db))).rejects.toThrow(
      Overtaken,
    )
    expect([(await parked()).length, (await pool.query('select from parked_event')).rowCount]).toEqual([0, 0])
  })

  it('is served by the process that notices that it was overtaken, and begins anew', async () => {
    const poison = new Set(['poison'])
    await fold(poisonAna(), names(poison))
    await takeOver(postgres.pool, worker)
    poison.clear()
    const before = await shown('ana')
    await decide('retry')
    await nothingParked()
    expect([before, await shown('ana')]).toEqual(['a;b;', 'a;b;poison;c;'])
  })

  describe('while a new version is built', () => {
    const builtByOld = async () => {
      const end = await poisonAna()
      run(names(healthy))
      await reached(end)
      await stop()
      return end
    }

    it('is the only one that is parked', async () => {
      const end = await builtByOld()
      run(names(poisoned, 2))
      await reached(end, 2)
      expect([await shown('ana'), await shown('bia')]).toEqual(['a;b;', 'x;y;'])
      expect(await parked()).toMatchObject([{ worker, tenant: 'ana', waiting: 2 }])
      await stop()
      run(names(healthy, 2))
      await nothingParked()
      expect(await shown('ana')).toBe('a;b;poison;c;')
    })

    it('is not parked any more where the new version can fold what the old one could not', async () => {
      await fold(poisonAna(), names(poisoned))
      await stop()
      const end = await appendNames('ana', 'd')
      run(names(healthy, 2))
      await reached(end, 2)
      expect([await shown('ana'), await parked()]).toEqual(['a;b;poison;c;d;', []])
      expect((await postgres.pool.query('select from parked_event')).rowCount).toBe(0)
    })

    it.each([
      [
        'a row is refused among thousands',
        healthy,
        ['alter table shown_names add constraint sober check (names !~ $$poison$$)'],
      ],
      [
        'an index cannot hold its row',
        healthy,
        ['create index on shown_names (((1 / (case when names ~ $$poison$$ then 0 else 1 end))))'],
      ],
    ])('is the only one that is parked when %s', async (_, poison, after) => {
      const end = await builtByOld()
      run(names(poison, 2, after))
      await reached(end, 2)
      expect([await shown('ana'), await shown('bia')]).toEqual(['a;b;', 'x;y;'])
      expect(await parked()).toMatchObject([{ worker, tenant: 'ana', waiting: 2 }])
    })
  })
})
