/** Of one tenant; what a product allows besides is its own. Names are stored with what was spent. */
export interface Budgets {
  /** Commands of the user per day of São Paulo; reports of other systems do not count. */
  changesPerDay: number
  /** Bytes of these commands' bodies. Drafts and files have their own budgets. */
  changedBytesPerDay: number
  draftBytesPerDay: number
  draftBytesPerTenant: number
  /** Stored replies for repeated requests; beyond that they run again. */
  keptAnswerBytesPerDay: number
}

const mebibyte = 1024 ** 2

export const defaultBudgets: Budgets = {
  changesPerDay: 100_000,
  changedBytesPerDay: 64 * mebibyte,
  draftBytesPerDay: 512 * mebibyte,
  draftBytesPerTenant: 256 * mebibyte,
  keptAnswerBytesPerDay: 16 * mebibyte,
}
