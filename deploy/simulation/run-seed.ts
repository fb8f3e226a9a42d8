import { setImmediate as nextTurn } from 'node:timers/promises'
import { offerSamplePlan } from '@prosa/billing/testing/offer-sample-plan'
import type { Logger } from '@prosa/kernel/observability/log'
import { restoreBaseState } from './base-state.ts'
import { problemsOf } from './checks/check.ts'
import { Cluster } from './cluster.ts'
import { publish, type Step, setHours, steps } from './history/steps.ts'
import { Town } from './history/town.ts'
import { theDatabase } from './platform/database.ts'
import { between, happens, type Random, seededRandom, wholeBetween } from './platform/random.ts'
import { beginWorld, inProcess, theWorld } from './platform/world.ts'
import { adminEmail, drawReadModels } from './product-process.ts'

export interface RunReport {
  seed: number
  problems: string[]
  history: string[]
  fingerprint: string
  events: number
  steps: number
  statements: number
  trace: string[] | undefined
}

export interface RunOptions {
  isTraced?: boolean
  log?: Logger
}

const totalWeight = steps.reduce((sum, { weight }) => sum + weight, 0)

const drawn = (random: Random): Step => {
  let left = random() * totalWeight
  for (const step of steps) {
    left -= step.weight
    if (left < 0) return step
  }
  throw new Error('there are no steps')
}

const headOfLog = async (): Promise<number> => {
  const [row] = await theDatabase().ask<{ head: string | null }>('select max(position) as head from es.event')
  return Number(row?.head ?? 0)
}

const quietMs = 2500
/** Most read models do not depend on order. */
const shareOfReadModels = 0.25

/** Until nothing was recorded for some seconds. */
const becomesQuiet = async (): Promise<number> => {
  const world = theWorld()
  let [head, since] = [-1, world.nowMs]
  const limit = world.nowMs + 300_000
  while (world.nowMs - since < quietMs) {
    await world.pause(250)
    const now = await world.meanwhileNothing(headOfLog)
    if (now !== head) [head, since] = [now, world.nowMs]
    if (world.nowMs > limit) throw new Error('it never becomes quiet')
  }
  return head
}

const opens = async (town: Town): Promise<void> => {
  const { cluster, admin } = town
  await Promise.all(cluster.processes.map((_, slot) => cluster.start(slot)))
  const person = { firstName: 'Ada', lastName: 'Lima', email: adminEmail, password: 'uma senha comprida' }
  await admin.must('POST', '/api/auth/register', person)
  const [process] = cluster.alive
  if (process) await inProcess(process.process, () => offerSamplePlan(process.ports))
  for (const email of ['loja1@example.com', 'loja2@example.com']) {
    const shop = await town.openShop(email)
    if (happens(town.random, 0.7)) await setHours(shop)
    if (happens(town.random, 0.6)) await publish(shop, 'pergunta')
    if (happens(town.random, 0.4)) await publish(shop, 'espera')
  }
}

const lives = async (town: Town, history: string[]): Promise<void> => {
  const { random } = town
  const world = theWorld()
  const going = new Set<Promise<void>>()
  for (let left = wholeBetween(random, 20, 45); left > 0; left--) {
    const step = drawn(random)
    history.push(`${town.cluster.clock.now()} ${step.name}`)
    const work = step
      .run(town)
      .catch((error: unknown) => {
        world.failures.push(new Error(`${step.name} failed`, { cause: error }))
      })
      .then(() => void going.delete(work))
    going.add(work)
    await world.pause(happens(random, 0.25) ? between(random, 0, 15) : between(random, 10, 500))
    if (happens(random, 0.15)) await Promise.all(going)
  }
  await Promise.all(going)
}

const comesToRest = async (town: Town): Promise<number> => {
  const { cluster } = town
  Object.assign(theWorld().faults, { awayUntilMs: 0, slowUntilMs: 0, lossRate: 0, repeatedWakeUpRate: 0 })
  let head = await becomesQuiet()
  // Longer than any delay, question or silence.
  for (let day = 0; day < 2; day++) {
    cluster.moveClock(25 * 60)
    head = await becomesQuiet()
  }
  return head
}

export const runSeed = async (seed: number, { isTraced = false, log }: RunOptions = {}): Promise<RunReport> => {
  const world = beginWorld(seed, isTraced)
  const before = theDatabase().statements
  await restoreBaseState()
  const history: string[] = []
  const drawing = seededRandom(seed * 17 + 3)
  const models = drawReadModels(drawing, shareOfReadModels)
  const town = new Town(new Cluster(happens(drawing, 0.6) ? 2 : 1, { log, models }), seed)
  let [problems, events]: [string[], number] = [[], 0]
  try {
    await world.run(async () => {
      await opens(town)
      Object.assign(world.faults, { lossRate: happens(world.random, 0.5) ? 0.004 : 0, repeatedWakeUpRate: 0.05 })
      await lives(town, history)
      events = await comesToRest(town)
      problems = await problemsOf(town, models)
    })
  } catch (error) {
    problems.push(`the run ended early: ${error instanceof Error ? error.stack : error}`)
  }
  for (const failure of world.failures) problems.push(shown(failure))
  await theDatabase().clear()
  town.cluster.forget()
  // Lets woken work end before the next run draws.
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  const { fingerprint, steps: taken, trace } = world
  const statements = theDatabase().statements - before
  return { seed, problems, history, fingerprint, events, steps: taken, statements, trace }
}

const shown = (failure: unknown): string =>
  failure instanceof Error ? `${failure.stack}${failure.cause ? ` — ${shown(failure.cause)}` : ''}` : String(failure)
