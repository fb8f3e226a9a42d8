/** Misbehaviour to order from the server; every order with a number or a list is used up as it is carried out. */
export interface Faults {
  /** Receipts of clients to swallow, as if the connection had broken under them. */
  loseReceipts: number
  /** Messages of clients to swallow: neither delivered nor acknowledged. */
  loseMessages: number
  /** Error codes to answer the next messages with, e.g. `463` (restricted account). */
  refuseMessages: string[]
  /** Failure reasons for the next logins, e.g. `403` (banned), `405` (outdated), `440` (replaced), `503`. */
  refuseLogins: string[]
  /** How late everything reaches clients and comes from them, in milliseconds, until it is set back to 0. */
  delayMs: number
}

export const noFaults = (): Faults => ({
  loseReceipts: 0,
  loseMessages: 0,
  refuseMessages: [],
  refuseLogins: [],
  delayMs: 0,
})
