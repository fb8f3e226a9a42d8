/** Flat arrays: 100,000 messages take about 2 MB. */

export interface Lateness {
  p50: number
  p99: number
  max: number
}

export interface DirectionReport {
  sent: number
  arrived: number
  lost: number
  doubled: number
  /** Milliseconds; NaN when nothing arrived. */
  late: Lateness
}

const MAX_COUNTED = 255

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

  /** False when it was never sent, arrived before, or a recount is final. */
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

  /** Replaces the counts by those of the final history. */
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
