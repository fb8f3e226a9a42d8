import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { expect, it } from 'vitest'
import { plantedFaults } from './planted-faults.ts'
import { type Report, simulate } from './simulate.ts'

const told = ({ seed, problems, history }: Report) =>
  `seed ${seed}\n  ${problems.join('\n  ')}\n  after ${history.join(', ')}`

/** Beside a process of the simulation its database works: two keep two processors busy. */
const workers = shortOrLong(1, 2)
const seeds = shortOrLong(24, 10_000)

const simulateAll = async (): Promise<Report[]> => {
  const count = Math.ceil(seeds / workers)
  const all = Array.from({ length: workers }, (_, worker) => simulate({ first: 1 + worker * count, count }))
  return (await Promise.all(all)).flat()
}

it('keeps its promises in every history and order of events, whatever is killed, lost and slow', {
  timeout: 12 * 3_600_000,
}, async () => {
  const began = performance.now()
  const reports = await simulateAll()
  const broken = reports.filter(({ problems }) => problems.length > 0)
  const seconds = (performance.now() - began) / 1000
  noteMeasurements('simulation', {
    seeds: reports.length,
    'seeds a minute': Math.round((reports.length / seconds) * 60),
    'events a seed': Math.round(reports.reduce((sum, { events }) => sum + events, 0) / reports.length),
  })
  expect(broken.slice(0, 5).map(told)).toEqual([])
  expect(reports).toHaveLength(seeds)
})

it('does the same for the same seed', async () => {
  const [[first], [again]] = [await simulate({ first: 3, count: 1 }), await simulate({ first: 3, count: 1 })]
  expect(again).toMatchObject({ fingerprint: first?.fingerprint ?? '', history: first?.history ?? [] })
})

it.each(plantedFaults)('finds that $name', { timeout: 120_000 }, async (fault) => {
  const [report] = await simulate({ first: fault.seed, count: 1 }, fault)
  expect(report?.problems.join('\n')).toMatch(fault.finds)
})
