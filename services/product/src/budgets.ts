import { defaultBudgets as budgetsOfKernel, type Budgets as KernelBudgets } from '@prosa/kernel/budgets'

/**
 * Limits of one tenant, browser or address. Each is a setting (`PROSA_…` in `services/product/src/process/config.ts`) and is counted in
 * `prosa_refusals_total`.
 */
export interface Budgets extends KernelBudgets {
  /** Linked or not. */
  connectionsPerTenant: number
  linkingPerTenant: number
  /** All tenants together. */
  linkingPerProcess: number
  uploadedBytesPerDay: number
  uploadedFilesPerDay: number
  /** Uploaded or received. */
  keptBytesPerTenant: number
  /** Concurrent downloads from WhatsApp. */
  fetchesPerTenant: number
  socketsPerSession: number
  socketsPerAddress: number
  /** Long-term average; bursts of ten times as many pass. */
  socketEventsPerSecond: number
  lookUpsPerLineHour: number
  /** Within ten minutes; beyond that the contact may be a robot. */
  flowStartsPerContact: number
  /** Within ten minutes. */
  flowMessagesPerContact: number
  /** Of steps of flows, each attempt and test. */
  flowRequestsPerDay: number
  publishedBytesPerDay: number
  /** Includes all versions: the log keeps them. */
  publishedBytesPerTenant: number
}

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3

export const defaultBudgets: Budgets = {
  ...budgetsOfKernel,
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
  flowRequestsPerDay: 10_000,
  publishedBytesPerDay: 32 * mebibyte,
  publishedBytesPerTenant: 256 * mebibyte,
}
