/** What became of every message of a run, in flat arrays: a hundred thousand messages take about 2 MB. */

export interface Lateness {
  p50: number
  p99: number
  max: number
}

export interface DirectionReport {
  sent: number
  arrived: number
  lost: number
  /** Messages that arrived more than once. */
  doubled: number
  /** Milliseconds; NaN when nothing arrived. */
  late: Lateness
}

const MAX_COUNTED = 255

/** One direction: messages are numbered from 0. */
export class Direction {
  readonly #sentAt: Float64Array
  readonly #late: Float32Array
  readonly #times: Uint8Array
  #isRecounted = false
  sent = 0
  arrived = 0

  /** @param most the highest number, plus one */
  constructor(max: number) {
    this.#sentAt = new Float64Array(max)
    this.#late = new Float32Array(max)
    this.#times = new Uint8Array(max)
  }

  leave(number: number, at: number) {
    this.#sentAt[number] = at
    this.sent++
  }

  /** False when nothing of this number left, it arrived before, or a recount has settled what arrived. */
  arrive(number: number, at: number): boolean {
    const sentAt = this.#sentAt[number]
    const times = this.#times[number]
    if (!sentAt || times === undefined || this.#isRecounted) return false
    this.#times[number] = Math.min(MAX_COUNTED, times + 1)
    if (times > 0) return false
    this.#late[number] = at - sentAt
    this.arrived++
    return true
  }

  /** What some other count found: how often a message is there in the end. Whoever still reads it then reads nothing new. */
  recount(counts: Uint8Array) {
    this.#isRecounted = true
    this.#times.set(counts)
    this.arrived = counts.reduce((sum, count) => sum + Number(count > 0), 0)
  }

  get isComplete() {
    return this.arrived >= this.sent
  }

  report(): DirectionReport {
    const late = this.#late.filter((_, number) => this.#times[number]).sort()
    const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN
    return {
      sent: this.sent,
      arrived: this.arrived,
      lost: this.sent - this.arrived,
      doubled: this.#times.reduce((sum, times) => sum + Number(times > 1), 0),
      late: { p50: at(0.5), p99: at(0.99), max: at(1) },
    }
  }
}
