import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DueQueue } from './due-queue.ts'
import { between, type Random, seededRandom } from './random.ts'

/** Can be killed or frozen between any two steps. */
export interface SimulatedProcess {
  name: string
  isAlive: boolean
  frozenUntilMs: number
}

export interface Scheduled {
  atMs: number
  order: number
  process: SimulatedProcess | undefined
  work: () => unknown
  isCancelled: boolean
}

/** Faults of the database, until the given moments. */
export interface Faults {
  awayUntilMs: number
  slowUntilMs: number
  /** Probability that a statement loses its connection, before or after it ran. */
  lossRate: number
  repeatedWakeUpRate: number
}

const processes = new AsyncLocalStorage<SimulatedProcess>()

export const currentProcess = (): SimulatedProcess | undefined => processes.getStore()

export const inProcess = <T>(process: SimulatedProcess, work: () => T): T => processes.run(process, work)

const outsideProcesses = <T>(work: () => T): T => processes.exit(work)

const maxSteps = 3_000_000

/** Time, order and chance of one run; the seed alone decides. */
export class World {
  readonly seed: number
  readonly random: Random
  /** Apart, so that more ids leave the order alone. */
  readonly randomOfIds: Random
  readonly randomOfKeys: Random
  readonly faults: Faults = { awayUntilMs: 0, slowUntilMs: 0, lossRate: 0, repeatedWakeUpRate: 0 }
  nowMs = 1000
  steps = 0
  readonly failures: unknown[] = []
  readonly trace: string[] | undefined
  #fingerprint = 0
  #order = 0
  readonly #due = new DueQueue<Scheduled>()

  constructor(seed: number, isTraced = false) {
    this.seed = seed
    this.random = seededRandom(seed)
    this.randomOfIds = seededRandom(seed ^ 0x5f3759df)
    this.randomOfKeys = seededRandom(seed ^ 0x2545f491)
    this.trace = isTraced ? [] : undefined
  }

  after(ms: number, work: () => unknown, process: SimulatedProcess | undefined = currentProcess()): Scheduled {
    return this.#schedule(ms, work, process)
  }

  /** Survives the death of its process. */
  onItsWay(ms: number, work: () => unknown): Scheduled {
    return this.#schedule(ms, work, undefined)
  }

  #schedule(ms: number, work: () => unknown, process: SimulatedProcess | undefined): Scheduled {
    const scheduled = { atMs: this.nowMs + Math.max(0, ms), order: this.#order++, process, work, isCancelled: false }
    this.#due.add(scheduled)
    return scheduled
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.onItsWay(ms, () => resolve()))
  }

  /** For the simulation's own queries: nothing else runs meanwhile. */
  meanwhileNothing<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onItsWay(0, () => work().then(resolve, reject))
    })
  }

  latencyMs(): number {
    const usual = between(this.random, 0.05, this.random() < 0.05 ? 20 : 1.5)
    return this.nowMs < this.faults.slowUntilMs ? usual * between(this.random, 1, 400) : usual
  }

  get isDatabaseAway(): boolean {
    return this.nowMs < this.faults.awayUntilMs
  }

  note(text: string, detail = ''): void {
    this.trace?.push(`${this.nowMs.toFixed(3)} ${text} ${detail}`)
    for (let at = 0; at < text.length; at++)
      this.#fingerprint = Math.imul(this.#fingerprint ^ text.charCodeAt(at), 16_777_619)
    this.#fingerprint = Math.imul(this.#fingerprint ^ Math.round(this.nowMs * 1000), 16_777_619)
  }

  get fingerprint(): string {
    return (this.#fingerprint >>> 0).toString(16)
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    let outcome: { done: T } | { failed: unknown } | undefined
    outsideProcesses(work).then(
      (done) => {
        outcome = { done }
      },
      (failed: unknown) => {
        outcome = { failed }
      },
    )
    await nextTurn()
    while (!outcome) await this.#step()
    if ('failed' in outcome) throw outcome.failed
    return outcome.done
  }

  async #step(): Promise<void> {
    const next = this.#due.take()
    if (!next) throw new Error('nothing is left to happen, and the run has not ended')
    const { process } = next
    if (next.isCancelled || process?.isAlive === false) return
    if (process && process.frozenUntilMs > Math.max(this.nowMs, next.atMs)) {
      next.atMs = process.frozenUntilMs
      this.#due.add(next)
      return
    }
    if (++this.steps > maxSteps) throw new Error('the run does not come to an end')
    this.nowMs = Math.max(this.nowMs, next.atMs)
    try {
      const done = process ? inProcess(process, next.work) : outsideProcesses(next.work)
      if (done instanceof Promise) await done
    } catch (error) {
      this.failures.push(error)
    }
    await nextTurn()
  }
}

let current: World | undefined

export const beginWorld = (seed: number, isTraced = false): World => {
  current = new World(seed, isTraced)
  return current
}

export const theWorld = (): World => {
  if (!current) throw new Error('no simulation runs')
  return current
}
