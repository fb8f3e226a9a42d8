/** Requested faults; counts and lists are used up. */
export interface Faults {
  loseReceipts: number
  /** Neither delivered nor acknowledged. */
  loseMessages: number
  /** Error codes, e.g. `463` (restricted account). */
  refuseMessages: string[]
  /** E.g. `403` (banned), `405` (outdated), `440` (replaced), `503`. */
  refuseLogins: string[]
  /** Latency in both directions, in ms, until reset to 0. */
  delayMs: number
}

export const noFaults = (): Faults => ({
  loseReceipts: 0,
  loseMessages: 0,
  refuseMessages: [],
  refuseLogins: [],
  delayMs: 0,
})
