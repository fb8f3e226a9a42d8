import type { Clock } from '@prosa/kernel/clock'
import { type Client, theDatabase } from './platform/database.ts'
import { between, happens, oneOf } from './platform/random.ts'
import { inProcess, theWorld } from './platform/world.ts'
import { type ProductProcess, type StartOptions, startProduct } from './product-process.ts'

/** Monday, 10:00 in São Paulo. */
const began = Date.parse('2026-11-23T13:00:00.000Z')
const minuteMs = 60_000
/** The database ends the session of a frozen process after this. */
const silenceMs = 15_000

export class Cluster {
  readonly processes: (ProductProcess | undefined)[]
  readonly #options: Omit<StartOptions, 'clock'>
  readonly #ending = new Set<ProductProcess>()
  readonly #all: ProductProcess[] = []
  #aheadMs = 0
  #starts = 0
  readonly clock: Clock = { now: () => new Date(began + theWorld().nowMs + this.#aheadMs).toISOString() }

  constructor(count: number, options: Omit<StartOptions, 'clock'> = {}) {
    this.processes = Array.from({ length: count }, () => undefined)
    this.#options = options
  }

  get alive(): ProductProcess[] {
    return this.processes.filter((each): each is ProductProcess => each?.process.isAlive === true)
  }

  async start(slot: number): Promise<void> {
    const name = `${'abc'[slot]}${++this.#starts}`
    for (let attempt = 0; ; attempt++) {
      try {
        const started = await startProduct(`${name}.${attempt}`, { ...this.#options, clock: this.clock })
        this.processes[slot] = started
        this.#all.push(started)
        return
      } catch (error) {
        // Supervisors start a process again when the database was away.
        if (attempt === 100) throw error
        await theWorld().pause(1000)
      }
    }
  }

  moveClock(minutes: number): void {
    theWorld().note(`clock ${minutes}`)
    this.#aheadMs += minutes * minuteMs
  }

  /** Moves to the next moment with this hour in São Paulo. */
  moveClockTo(hour: number): void {
    const now = began + theWorld().nowMs + this.#aheadMs
    const local = new Date(now - 3 * 60 * minuteMs)
    const minutes = (hour - local.getUTCHours()) * 60 - local.getUTCMinutes()
    this.moveClock(minutes > 0 ? minutes : minutes + 24 * 60)
  }

  /** Retries, as people and networks do, until a process answers. */
  async persist<T>(work: (process: ProductProcess) => Promise<T>): Promise<T> {
    const world = theWorld()
    for (let attempt = 0; ; attempt++) {
      const { alive } = this
      const [first, ...others] = alive
      try {
        if (!first) throw new Error('nobody answers')
        const process = oneOf(world.random, [first, ...others])
        const late = world.pause(25_000).then(() => Promise.reject(new Error('no answer in time')))
        late.catch(() => undefined)
        return await Promise.race([inProcess(process.process, () => work(process)), process.died, late])
      } catch (error) {
        if (attempt >= 200) throw error
        await world.pause(between(world.random, 100, 1000))
      }
    }
  }

  async crash(slot: number): Promise<void> {
    const world = theWorld()
    await this.#replace(slot, async (process) => {
      world.note(`crash ${slot}`)
      await process.crash()
      await world.pause(between(world.random, 1, 1500))
    })
  }

  /** SIGTERM: work in hand is finished. */
  async restart(slot: number): Promise<void> {
    await this.#replace(slot, async (process) => {
      theWorld().note(`restart ${slot}`)
      await process.stop()
    })
  }

  /** Like a closed laptop: others take over meanwhile. */
  async freeze(slot: number): Promise<void> {
    const world = theWorld()
    const process = this.processes[slot]?.process
    if (!process?.isAlive) return
    const forMs = between(world.random, 100, 2.5 * silenceMs)
    world.note(`freeze ${slot} ${forMs}`)
    process.frozenUntilMs = world.nowMs + forMs
    await world.pause(Math.min(forMs, silenceMs))
    if (forMs < silenceMs) return
    await this.#lose(
      (client) =>
        client.process === process && (client.applicationName?.startsWith('prosa-lock ') || happens(world.random, 0.5)),
    )
  }

  /** Notifications sent meanwhile are lost too. */
  async loseListeners(): Promise<void> {
    theWorld().note('listeners lost')
    await this.#lose((client) => client.applicationName === 'prosa-listen' && happens(theWorld().random, 0.7))
  }

  /** After the run. */
  forget(): void {
    for (const each of this.#all) each.forget().catch(() => undefined)
  }

  #lose(isLost: (client: Client) => boolean): Promise<void> {
    return theWorld().meanwhileNothing(async () => {
      for (const client of [...theDatabase().clients]) if (isLost(client)) await client.lose()
    })
  }

  /** One at a time: a starting process is not killed. */
  async #replace(slot: number, end: (process: ProductProcess) => Promise<void>): Promise<void> {
    const process = this.processes[slot]
    if (!process?.process.isAlive || this.#ending.has(process)) return
    this.#ending.add(process)
    await end(process)
    await this.start(slot)
  }
}
