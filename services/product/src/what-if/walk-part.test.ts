import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import { describe, expect, it } from 'vitest'
import { daysAsked, maxListed, requireBuilt, walkPart } from './walk-part.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id${String(index).padStart(4, '0')}`)
const itself = async (id: string) => id

describe('a part of a walk', () => {
  it('has every record once and in order, and is the last where there are no more', async () => {
    const listed = ids(10)
    const { found, ...part } = await walkPart({ ids: listed, done: 3, total: 13 }, shortestSlices, itself)
    expect([found, part]).toEqual([listed, { done: 13, total: 13, next: null }])
    expect(await walkPart({ ids: [], done: 0, total: 0 }, shortestSlices, itself)).toEqual({
      ...{ found: [], done: 0, total: 0, next: null },
    })
  })

  it('leads on where more records are than one list has', async () => {
    const listed = ids(maxListed)
    const part = await walkPart({ ids: listed, done: 0, total: maxListed + 1 }, shortestSlices, itself)
    expect([part.done, part.next]).toEqual([maxListed, listed.at(-1)])
  })

  it('ends early where it is full, and the next begins after what was done', async () => {
    let done = 0
    const work = async (id: string) => {
      done += 1
      return id
    }
    const part = await walkPart({ ids: ids(20), done: 0, total: 20 }, shortestSlices, work, () => done > 5)
    expect([part.found.length, part.done, part.next]).toEqual([8, 8, 'id0007'])
  })

  it('ends with what one record throws, as when the client left', async () => {
    const left = new Error('left')
    const slice = { isDue: () => true, turn: () => Promise.reject(left) }
    await expect(walkPart({ ids: ids(2), done: 0, total: 2 }, slice, itself)).rejects.toBe(left)
  })
})

it('is refused while its list is being built, or lacks records of the tenant', () => {
  const gate = (unbuilt: string[], parked: string[]) => ({
    neverBuilt: (names: readonly string[]) => names.filter((name) => unbuilt.includes(name)),
    isParked: (names: readonly string[], tenant: string) => names.some((name) => parked.includes(`${name} ${tenant}`)),
  })
  const refused = expect.objectContaining({ refusal: 'past_not_ready' })
  const ask =
    (...of: Parameters<typeof gate>) =>
    () =>
      requireBuilt(gate(...of), ['contacts'], 'ana')
  expect(ask([], ['contacts bia'])).not.toThrow()
  expect(ask(['contacts'], [])).toThrow(refused)
  expect(ask([], ['contacts ana'])).toThrow(refused)
})

it.each([
  ['2026-11-16', '2026-11-17', '2026-11-16T03:00:00.000Z', '2026-11-18T03:00:00.000Z'],
  ['2026-11-20', '2026-12-01', '2026-11-20T03:00:00.000Z', '2026-11-25T12:00:00.000Z'],
  [undefined, undefined, '2026-11-19T03:00:00.000Z', '2026-11-25T12:00:00.000Z'],
])('days from %s to %s begin and end at local midnight, at the latest now', (from, to, first, last) => {
  const now = '2026-11-25T12:00:00.000Z'
  expect(daysAsked({ from, to }, 'America/Sao_Paulo', now)).toEqual({ from: first, until: last })
})
