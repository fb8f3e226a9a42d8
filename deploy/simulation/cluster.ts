import type { Clock } from '@prosa/kernel/clock'
import { type Client, theDatabase } from './platform/database.ts'
import { between, happens, oneOf } from './platform/random.ts'
import { inProcess, theWorld } from './platform/world.ts'
import { type ProductProcess, type StartOptions, startProduct } from './product-process.ts'

/** Monday, ten in the morning in São Paulo. */
const began = Date.parse('2026-11-23T13:00:00.000Z')
const minuteMs = 60_000
/** After so long the database ends the session of a process that stands still. */
const silenceMs = 15_000

/** The processes of the product over one database, the time that their clocks show, and what is done to them. */
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
        // Whoever starts a process starts it again where the database was away.
        if (attempt === 100) throw error
        await theWorld().pause(1000)
      }
    }
  }

  moveClock(minutes: number): void {
    theWorld().note(`clock ${minutes}`)
    this.#aheadMs += minutes * minuteMs
  }

  /** The next moment at which it is so late in São Paulo. */
  moveClockTo(hour: number): void {
    const now = began + theWorld().nowMs + this.#aheadMs
    const local = new Date(now - 3 * 60 * minuteMs)
    const minutes = (hour - local.getUTCHours()) * 60 - local.getUTCMinutes()
    this.moveClock(minutes > 0 ? minutes : minutes + 24 * 60)
  }

  /** Asked again, as people and networks do, until some process answers for good. */
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

  /** As by SIGTERM: what is in hand is finished. */
  async restart(slot: number): Promise<void> {
    await this.#replace(slot, async (process) => {
      theWorld().note(`restart ${slot}`)
      await process.stop()
    })
  }

  /** Stands still, as a laptop that is closed; what others took over meanwhile is theirs. */
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
      (client) => client.process === process && (client.applicationName === 'prosa-lock' || happens(world.random, 0.5)),
    )
  }

  /** Connections that listen are lost, and with them what is notified meanwhile. */
  async loseListeners(): Promise<void> {
    theWorld().note('listeners lost')
    await this.#lose((client) => client.applicationName === 'prosa-listen' && happens(theWorld().random, 0.7))
  }

  /** Once the run is over. */
  forget(): void {
    for (const each of this.#all) each.forget().catch(() => undefined)
  }

  #lose(isLost: (client: Client) => boolean): Promise<void> {
    return theWorld().meanwhileNothing(async () => {
      for (const client of [...theDatabase().clients]) if (isLost(client)) await client.lose()
    })
  }

  /** One after the other: what is being started is not killed. */
  async #replace(slot: number, end: (process: ProductProcess) => Promise<void>): Promise<void> {
    const process = this.processes[slot]
    if (!process?.process.isAlive || this.#ending.has(process)) return
    this.#ending.add(process)
    await end(process)
    await this.start(slot)
  }
}
