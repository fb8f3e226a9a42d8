import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Stored } from '../../../event-store/codec.ts'
import { beginning, type Position } from '../../../event-store/port.ts'
import type { TestPostgres } from '../../../postgres/testing.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'
import { Overtaken } from '../../engine/epochs.ts'
import { idOf, testLog } from '../../testing/test-log.ts'
import { prepareReadModel } from '../prepare-read-model.ts'
import type { Projection } from '../projection.ts'
import { liveRows } from './live-rows.ts'
import { writeTogether } from './write-together.ts'

interface LiveRow {
  id: string
  texts: string
}

const projection: Projection<LiveRow> = {
  name: 'live',
  version: 1,
  categories: ['contact'],
  table: { name: 'live', key: 'id', columns: { id: 'text collate "C"', texts: 'text not null' } },
  on: {
    ContactErased: {
      key: ({ stream }) => stream,
      makes: true,
      row: (row, { stream }) => row ?? { id: stream, texts: 'made;' },
    },
    ContactNamed: {
      key: ({ stream }) => stream,
      row: (row, { stream, data }) => ({ id: stream, texts: `${row?.texts ?? ''}${data.name};` }),
    },
    ConversationResolved: { key: ({ stream }) => stream, row: () => undefined },
  },
}

const made: AnyEvent = { type: 'ContactErased', data: {} }
const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId: idOf('ana') } }

describe('rows that a projection remembers', () => {
  let postgres: TestPostgres
  let append: (...events: AnyEvent[]) => Promise<Stored[]>
  beforeAll(async () => {
    postgres = await kernelDatabase()
  })
  afterAll(() => postgres.drop())
  beforeEach(async () => {
    await postgres.pool.query(`delete from checkpoint where name = 'live'; drop table if exists live`)
    await prepareReadModel(postgres.pool, projection)
    const log = testLog()
    let seen = 0
    append = async (...events) => {
      for (const event of events) await log.append('tenant', `contact-${idOf('one')}`, event)
      const recorded = []
      for await (const page of log.store.readAll(beginning, projection)) recorded.push(...page.events)
      const found = await log.codec.decode(recorded.slice(seen))
      seen = recorded.length
      return found
    }
  })

  const open = () => liveRows(projection, postgres.pool, writeTogether(postgres.pool))
  const endOf = (events: readonly Stored[]): Position => events.at(-1)?.position ?? beginning
  const rows = async () => (await postgres.pool.query<LiveRow>('select texts from live')).rows.map((row) => row.texts)

  it('are folded on without being read, and are gone once they were deleted', async () => {
    const foldIn = open()
    const [first, second, third] = [await append(made), await append(named('a')), await append(resolved, named('b'))]
    await foldIn(first, beginning, endOf(first))
    await postgres.pool.query(`update live set texts = 'by hand;'`)
    await foldIn(second, endOf(first), endOf(second))
    expect(await rows()).toEqual(['made;a;'])
    await foldIn(third, endOf(second), endOf(third))
    expect(await rows()).toEqual(['b;'])
    const fourth = await append(resolved)
    await foldIn(fourth, endOf(third), endOf(fourth))
    expect(await rows()).toEqual([])
    const fifth = await append(named('c'))
    await foldIn(fifth, endOf(fourth), endOf(fifth))
    expect(await rows()).toEqual(['c;'])
  })

  it('that were presumed to be new and are there are folded as they are', async () => {
    const [first, second] = [await append(named('a')), await append(made, named('b'))]
    await open()(first, beginning, endOf(first))
    await open()(second, endOf(first), endOf(second))
    expect(await rows()).toEqual(['a;b;'])
  })

  it('are forgotten when somebody else has written, who is not disturbed', async () => {
    const [here, there] = [open(), open()]
    const [first, second, third] = [await append(named('a')), await append(named('b')), await append(named('c'))]
    await here(first, beginning, endOf(first))
    await there(second, endOf(first), endOf(second))
    await expect(here(second, endOf(first), endOf(second))).rejects.toThrow(Overtaken)
    expect(await rows()).toEqual(['a;b;'])
    await here(third, endOf(second), endOf(third))
    expect(await rows()).toEqual(['a;b;c;'])
  })
})
