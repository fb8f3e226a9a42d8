import { randomUUID } from 'node:crypto'
import { userSubject } from '@prosa/contracts/events/subjects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultBudgets } from '../budgets.ts'
import { type TestPorts, testPorts } from '../testing/test-ports.ts'
import { postgresDrafts } from './drafts.ts'

const max = 10_000
let ports: TestPorts
beforeAll(async () => {
  ports = await testPorts()
})
afterAll(() => ports.close())

const process = () => postgresDrafts({ ...ports, budgets: { ...defaultBudgets, draftBytesPerTenant: max } })
const ref = (id: string = randomUUID(), revision = 1, digest = 'd') => ({ id, revision, digest })
const bytesOf = async (tenant: string) => {
  const { rows } = await ports.pool.query('select coalesce(sum(bytes), 0)::int as bytes from draft where owner = $1', [
    tenant,
  ])
  return rows[0].bytes
}

describe('drafts', () => {
  it('are read by their own tenant only, and by what the log calls them', async () => {
    const [drafts, ana, bia, own] = [process(), randomUUID(), randomUUID(), ref()]
    await drafts.write(ana, own, 'Olá')
    expect(await drafts.read(ana, own)).toBe('Olá')
    for (const [tenant, wanted] of [
      [bia, own],
      [ana, { ...own, revision: 2 }],
      [ana, { ...own, digest: 'e' }],
    ] as const)
      expect(await drafts.read(tenant, wanted)).toBeUndefined()
    await drafts.write(bia, own, 'Meu')
    expect(await drafts.read(ana, own)).toBe('Olá')
  })

  it('are encrypted for their account: with its key they cannot be read any more', async () => {
    const [drafts, ana, own] = [process(), randomUUID(), ref()]
    await drafts.write(ana, own, 'Rua das Palmeiras')
    const { rows } = await ports.pool.query('select document from draft where id = $1', [own.id])
    expect(rows[0].document.includes('Palmeiras')).toBe(false)
    await ports.subjectKeys.erase([userSubject(ana)])
    expect(await drafts.read(ana, own)).toBeUndefined()
  })

  it('have digests that tell nothing to who guesses the text, or of another tenant', () => {
    const drafts = process()
    expect(drafts.digestOf('ana', 'x')).toBe(drafts.digestOf('ana', 'x'))
    expect(drafts.digestOf('ana', 'x')).not.toBe(drafts.digestOf('bia', 'x'))
    expect(drafts.digestOf('ana', 'x')).not.toBe(drafts.digestOf('ana', 'y'))
  })

  it('go once the log names a later one; one that comes late of an earlier revision does not count', async () => {
    const [drafts, ana, id] = [process(), randomUUID(), randomUUID()]
    for (const each of [ref(id, 1), ref(id, 2, 'lost'), ref(id, 2), ref(id, 3)]) await drafts.write(ana, each, 'Olá')
    await drafts.confirm(ref(id, 2))
    const left = async () =>
      (
        await ports.pool.query(
          'select revision, digest, is_confirmed as "is" from draft where id = $1 order by revision',
          [id],
        )
      ).rows
    expect(await left()).toEqual([
      { revision: 2, digest: 'd', is: true },
      { revision: 3, digest: 'd', is: false },
    ])
    await drafts.drop(ana, [id])
    expect(await left()).toEqual([])
  })
})

describe('room for drafts', () => {
  it('is for all of them or for none, and counts what they supersede as gone', async () => {
    const [drafts, ana, id] = [process(), randomUUID(), randomUUID()]
    expect(await drafts.plan(ana, [{ ...ref(id), bytes: max }])).toBe('planned')
    expect(await drafts.plan(ana, [{ ...ref(id, 2), bytes: max }])).toBe('planned')
    await drafts.confirm(ref(id, 2))
    expect(
      await drafts.plan(ana, [
        { ...ref(id, 3), bytes: 1 },
        { ...ref(), bytes: max },
      ]),
    ).toBe('full')
    expect(await bytesOf(ana)).toBe(max)
    expect(await drafts.plan(randomUUID(), [{ ...ref(), bytes: max }])).toBe('planned')
  })

  it('is not passed by many at once of ten processes', async () => {
    const [processes, ana] = [Array.from({ length: 10 }, process), randomUUID()]
    const bytes = max / 10
    const planned = (
      await Promise.all(
        [1, 2, 3].map(() => Promise.all(processes.map((each) => each.plan(ana, [{ ...ref(), bytes }])))),
      )
    ).flat()
    expect(planned.filter((outcome) => outcome === 'planned')).toHaveLength(10)
    expect(await bytesOf(ana)).toBe(max)
  })

  it('is not passed in flows either, of which some are known without a draft', async () => {
    const [one, other, ana] = [process(), process(), randomUUID()]
    const limit = { flows: 5, knownIds: ['a', 'b'] }
    const planned = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? one : other).plan(ana, [{ ...ref(), bytes: 1 }], limit)),
    )
    expect(planned.filter((outcome) => outcome === 'planned')).toHaveLength(3)
    expect(planned).toContain('too_many')
  })

  it('that was held and not used is left over an hour later, unless it was asked for again', async () => {
    const [drafts, ana, own, renewed] = [process(), randomUUID(), ref(), ref()]
    for (const each of [own, renewed]) await drafts.plan(ana, [{ ...each, bytes: 1 }])
    await ports.pool.query(`update draft set kept_at = now() - interval '2 hours' where owner = $1`, [ana])
    const leftOver = async () => (await drafts.leftOver(500)).filter(({ tenant }) => tenant === ana)
    expect(await leftOver()).toHaveLength(2)
    expect(await drafts.read(ana, own)).toBeUndefined()
    await drafts.write(ana, renewed, 'Olá')
    await drafts.dropLeftOver(renewed)
    await drafts.dropLeftOver(own)
    expect([await drafts.read(ana, renewed), await leftOver()]).toEqual(['Olá', []])
    expect(await bytesOf(ana)).toBeGreaterThan(0)
  })
})
