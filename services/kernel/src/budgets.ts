/**
 * How much one tenant, browser or address may take of what all share. Every one of them is a setting (`PROSA_…` in
 * `services/kernel/src/process/config.ts`), refuses with a sentence of its own and is counted in `prosa_refusals_total`.
 */
export interface Budgets {
  /** WhatsApp connections that one tenant has at a time, linked or not. */
  connectionsPerTenant: number
  /** Of those, how many may wait for a phone to be linked at the same time. */
  linkingPerTenant: number
  /** Lines that wait for a phone to be linked, of all tenants together in one process. */
  linkingPerProcess: number
  /** Bytes of files that one tenant may upload within 24 hours. */
  uploadedBytesPerDay: number
  /** Files that one tenant may upload within 24 hours. */
  uploadedFilesPerDay: number
  /** Bytes of files that are kept for one tenant, uploaded or received. */
  keptBytesPerTenant: number
  /** Files that are fetched from WhatsApp at the same time for one tenant. */
  fetchesPerTenant: number
  /** Sockets that one browser session has open at a time. */
  socketsPerSession: number
  /** Sockets that are open from one address at a time. */
  socketsPerAddress: number
  /** Events that one socket may send in a second, in the long run; bursts of ten times as many pass. */
  socketEventsPerSecond: number
  /** Telephone numbers that are looked up on WhatsApp over one line within an hour. */
  lookUpsPerLineHour: number
  /** Flows that a message or a label starts with one contact within ten minutes; beyond that the contact may be a robot. */
  flowStartsPerContact: number
  /** Messages that flows send to one contact within ten minutes. */
  flowMessagesPerContact: number
}

const gibibyte = 1024 ** 3

export const defaultBudgets: Budgets = {
  connectionsPerTenant: 20,
  linkingPerTenant: 3,
  linkingPerProcess: 50,
  uploadedBytesPerDay: 2 * gibibyte,
  uploadedFilesPerDay: 2000,
  keptBytesPerTenant: 50 * gibibyte,
  fetchesPerTenant: 2,
  socketsPerSession: 30,
  socketsPerAddress: 300,
  socketEventsPerSecond: 10,
  lookUpsPerLineHour: 60,
  flowStartsPerContact: 10,
  flowMessagesPerContact: 30,
}
