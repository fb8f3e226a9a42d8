import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DueQueue } from './due-queue.ts'
import { between, type Random, seededRandom } from './random.ts'

/** What runs in one process of the product: it can be killed between any two of its steps, and stand still. */
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

/** What the database does that it should not, until the given moments. */
export interface Faults {
  awayUntilMs: number
  slowUntilMs: number
  /** How likely a statement loses its connection, before or after it was carried out. */
  lossRate: number
  repeatedWakeUpRate: number
}

const processes = new AsyncLocalStorage<SimulatedProcess>()

export const currentProcess = (): SimulatedProcess | undefined => processes.getStore()

export const inProcess = <T>(process: SimulatedProcess, work: () => T): T => processes.run(process, work)

const outsideProcesses = <T>(work: () => T): T => processes.exit(work)

const maxSteps = 3_000_000

/** Time, order and chance of one run: everything that waits is here, and the seed alone decides what comes next. */
export class World {
  readonly seed: number
  readonly random: Random
  /** Of ids and keys, so that another number of them changes nothing of the order. */
  readonly randomOfIds: Random
  readonly randomOfKeys: Random
  readonly faults: Faults = { awayUntilMs: 0, slowUntilMs: 0, lossRate: 0, repeatedWakeUpRate: 0 }
  nowMs = 1000
  steps = 0
  /** What went wrong outside of anybody's promise. */
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

  /** The same, whatever becomes of the process that asks for it. */
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

  /** For what is asked of the real database by the simulation itself: nothing else happens meanwhile. */
  meanwhileNothing<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onItsWay(0, () => work().then(resolve, reject))
    })
  }

  /** How long something takes on its way between a process and the database. */
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

  /** The same for two runs that did the same. */
  get fingerprint(): string {
    return (this.#fingerprint >>> 0).toString(16)
  }

  /** Lets time pass until the work has ended. */
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
