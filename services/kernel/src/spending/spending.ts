import { saoPauloDay } from '@prosa/contracts/values/time/sao-paulo'
import type { Pool } from 'pg'
import type { Budgets } from '../budgets.ts'
import type { Clock } from '../clock.ts'
import { lruMap } from '../lru-map.ts'
import { addSpending, forgetSpending, type Spent, takeBackSpending } from './queries.ts'

/** Over all processes. */
export interface Spending<Name extends string = keyof Budgets> {
  /** Per day of São Paulo. Returns false, and counts nothing, beyond the budget. */
  spendToday(tenant: string, budget: Name, amount: number): Promise<boolean>
  /** For bytes that the log stores permanently. */
  spendForGood(tenant: string, budget: Name, amount: number): Promise<boolean>
  takeBackToday(tenant: string, budget: Name, amount: number): Promise<void>
  takeBackForGood(tenant: string, budget: Name, amount: number): Promise<void>
  /** In São Paulo. */
  secondsUntilTomorrow(): number
  forget(tenant: string): Promise<void>
}

/** Share of a budget that a process reserves at once, for frequent small amounts. */
const partAtOnce = 1 / 200
const inParts = new Set<string>(['changesPerDay', 'changedBytesPerDay', 'keptAnswerBytesPerDay'])
const maxInMemory = 20_000
const forGood = ''

/** Rows in PostgreSQL bound the sums over all processes; a reserved remainder of an ended process counts as spent. */
export const postgresSpending = <Name extends string>({
  pool,
  clock,
  budgets,
}: {
  pool: Pool
  clock: Clock
  budgets: Readonly<Record<Name, number>>
}): Spending<Name> => {
  const today = () => saoPauloDay(clock.now()).name
  const left = lruMap<string, number>(maxInMemory)
  /** Concurrent callers share a reservation. */
  const beingTaken = new Map<string, Promise<boolean>>()

  const take = async (key: string, wanted: Spent, max: number): Promise<boolean> => {
    const { amount } = wanted
    const part = Math.floor(max * partAtOnce)
    for (const taken of part > amount ? [part, amount] : [amount]) {
      if (!(await addSpending(pool, { ...wanted, amount: taken }, max))) continue
      if (taken > amount) left.set(key, (left.get(key) ?? 0) + taken - amount)
      return true
    }
    return false
  }

  return {
    async spendToday(tenant, budget, amount) {
      const day = today()
      const spent = { tenant, kind: budget, day, amount }
      if (!inParts.has(budget)) return addSpending(pool, spent, budgets[budget])
      const key = `${tenant} ${budget} ${day}`
      for (;;) {
        const atHand = left.get(key) ?? 0
        if (atHand >= amount) {
          left.set(key, atHand - amount)
          return true
        }
        const other = beingTaken.get(key)
        if (!other) break
        await other.catch(() => false)
      }
      const taking = take(key, spent, budgets[budget]).finally(() => beingTaken.delete(key))
      beingTaken.set(key, taking)
      return taking
    },
    spendForGood: (tenant, budget, amount) =>
      addSpending(pool, { tenant, kind: budget, day: forGood, amount }, budgets[budget]),
    takeBackToday: (tenant, budget, amount) => takeBackSpending(pool, { tenant, kind: budget, day: today(), amount }),
    takeBackForGood: (tenant, budget, amount) => takeBackSpending(pool, { tenant, kind: budget, day: forGood, amount }),
    secondsUntilTomorrow() {
      const now = clock.now()
      return Math.max(1, Math.ceil((Date.parse(saoPauloDay(now).until) - Date.parse(now)) / 1000))
    },
    async forget(tenant) {
      await forgetSpending(pool, tenant)
    },
  }
}
