import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { mediaOf, streamsOfTenant } from './queries.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
})
afterAll(() => prosa.stop())

const ana = idOf('ana')
const collect = async <T>(found: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const each of found) all.push(each)
  return all
}

it('a copy reads each stream once, over all pages of 500', async () => {
  const ids = Array.from({ length: 1001 }, (_, index) => idOf(`contact ${index}`))
  let position = ''
  for (const id of ids)
    position = await prosa.append(ana, `contact-${id}`, {
      type: 'ContactAdded',
      data: { name: 'Rui', phone: null, lid: null, origin: 'message' },
    })
  await prosa.ports.readModels.reached(['history-places'], position as Position, 30_000)
  expect(await collect(streamsOfTenant(prosa.ports.pool, ana))).toEqual(ids.map((id) => `contact-${id}`).toSorted())
}, 60_000)

it('and each file once, over all pages of 5,000', async () => {
  await prosa.ports.pool.query(
    `insert into media (id, owner, status) select lpad(n::text, 6, '0'), $1, 'stored' from generate_series(1, 10001) n`,
    [ana],
  )
  const ids = (await collect(mediaOf(prosa.ports.pool, ana, null))).map(({ id }) => id)
  expect(ids).toHaveLength(10_001)
  expect(new Set(ids).size).toBe(10_001)
})
