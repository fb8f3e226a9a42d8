import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PlantedFault, plantedFaults } from './planted-faults.ts'
import { buildSimulation, type Report, type Simulation, simulatedDatabase } from './simulate.ts'

const { PROSA_SEED } = process.env

/** The database works beside each worker. */
const workers = PROSA_SEED ? 1 : shortOrLong(1, 2)
const seeds = PROSA_SEED ? 1 : shortOrLong(1, 10_000)
const firstSeed = Number(PROSA_SEED ?? 1)
const longestRun = 24 * 3_600_000

let databases: TestPostgres[]
let simulation: Simulation
beforeAll(async () => {
  databases = await Promise.all(Array.from({ length: workers }, simulatedDatabase))
  simulation = await buildSimulation()
})
afterAll(async () => {
  await simulation?.remove()
  for (const database of databases) await database.drop()
})

/** Memory of dead processes ends with the child process. */
const seedsOfProcess = 25

const run = (first: number, count: number, worker = 0) => {
  const database = databases[worker]
  if (!database) throw new Error('there is no such worker')
  return simulation.run(database, { first, count, isTraced: PROSA_SEED !== undefined })
}

const sentence = ({ seed, problems, history }: Report) =>
  `seed ${seed}\n  ${problems.join('\n  ')}\n  after ${history.join(', ')}`

let reports: readonly Report[] = []

it('keeps its promises in every order of events, whatever is killed, lost and slow', {
  timeout: longestRun,
}, async () => {
  const began = performance.now()
  const count = Math.ceil(seeds / workers)
  const running = databases.map(async (_, worker) => {
    const found: Report[] = []
    while (found.length < count) {
      const first = firstSeed + worker * count + found.length
      found.push(...(await run(first, Math.min(seedsOfProcess, count - found.length), worker)))
    }
    return found
  })
  reports = (await Promise.all(running)).flat()
  const minutes = (performance.now() - began) / 60_000
  const events = reports.reduce((sum, report) => sum + report.events, 0)
  noteMeasurements('simulation', {
    seeds: reports.length,
    'seeds a minute': Math.round(reports.length / minutes),
    'events a seed': Math.round(events / reports.length),
  })
  const broken = reports.filter(({ problems }) => problems.length > 0)
  expect(broken.slice(0, 5).map(sentence)).toEqual([])
  expect(reports).toHaveLength(count * workers)
})

it('does the same again for the same seed', { timeout: 300_000 }, async () => {
  const [again] = await run(firstSeed, 1)
  const first = reports.find(({ seed }) => seed === firstSeed)
  expect(again?.fingerprint).toBe(first?.fingerprint)
  expect(again?.history).toEqual(first?.history)
})

it.each(plantedFaults)('can plant that $name', async ({ file, from }) => {
  const source = await readFile(join(import.meta.dirname, '../../services', file), 'utf8')
  expect(source.split(from)).toHaveLength(2)
})

/** Any change of the product moves what a seed finds. */
const searched = shortOrLong(0, 60)
const seedsOfSearch = 10

const findWith = async (database: TestPostgres, fault: PlantedFault) => {
  const finds = ({ problems }: Report) => fault.finds.test(problems.join('\n'))
  const faulty = await buildSimulation([fault])
  try {
    const [recorded] = await faulty.run(database, { first: fault.seed, count: 1 })
    if (recorded && finds(recorded)) return fault.seed
    for (let first = 1; first <= searched; first += seedsOfSearch) {
      const found = (await faulty.run(database, { first, count: seedsOfSearch })).find(finds)
      if (found) return found.seed
    }
    return undefined
  } finally {
    await faulty.remove()
  }
}

it.each(searched > 0 ? plantedFaults : [])('finds that $name', { timeout: longestRun }, async (fault) => {
  const [database] = databases
  if (!database) throw new Error('there is no database')
  const seed = await findWith(database, fault)
  noteMeasurements(`planted: ${fault.name}`, { 'seed that finds it': seed ?? 'none' })
  expect(seed).toBeDefined()
})
