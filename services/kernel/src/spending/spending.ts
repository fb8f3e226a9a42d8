import { saoPauloDay } from '@prosa/contracts/values/sao-paulo'
import type { Pool } from 'pg'
import type { Budgets } from '../budgets.ts'
import type { Clock } from '../clock.ts'
import { lruMap } from '../lru-map.ts'
import { addSpending, forgetSpending, type Spent, takeBackSpending } from './queries.ts'

/** Budgets of a day of São Paulo. */
export type DailyBudget =
  | 'changesPerDay'
  | 'changedBytesPerDay'
  | 'draftBytesPerDay'
  | 'publishedBytesPerDay'
  | 'keptAnswerBytesPerDay'

/** What one tenant spends of its budgets, counted over all processes. */
export interface Spending {
  /** Counts it for today where the day's budget has room for it; whether it had. */
  spendToday(owner: string, budget: DailyBudget, amount: number): Promise<boolean>
  /** The same of bytes that the log keeps for good. */
  spendForGood(owner: string, budget: 'publishedBytesPerTenant', amount: number): Promise<boolean>
  /** What was spent and led to nothing. */
  takeBack(owner: string, budget: 'publishedBytesPerTenant' | 'publishedBytesPerDay', amount: number): Promise<void>
  /** Until the next day begins in São Paulo. */
  secondsUntilTomorrow(): number
  /** Of an account that was erased. */
  forget(owner: string): Promise<void>
}

/** Of what is spent by many small amounts, a process takes so much of the day's budget at once. */
const partAtOnce = 1 / 200
const inParts = new Set<DailyBudget>(['changesPerDay', 'changedBytesPerDay', 'keptAnswerBytesPerDay'])
const maxInMemory = 20_000
const forGood = ''

/**
 * The sums are rows of PostgreSQL: what was added never passes a budget, however many processes add. What happens often is taken from
 * there in parts: what a process that ends has left of its part counts as spent.
 */
export const postgresSpending = ({
  pool,
  clock,
  budgets,
}: {
  pool: Pool
  clock: Clock
  budgets: Budgets
}): Spending => {
  const left = lruMap<string, number>(maxInMemory)
  /** Of many that find nothing left at once, one takes a part for all. */
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
    async spendToday(owner, budget, amount) {
      const day = saoPauloDay(clock.now()).name
      const spent = { owner, kind: budget, day, amount }
      if (!inParts.has(budget)) return addSpending(pool, spent, budgets[budget])
      const key = `${owner} ${budget} ${day}`
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
    spendForGood: (owner, budget, amount) =>
      addSpending(pool, { owner, kind: budget, day: forGood, amount }, budgets[budget]),
    async takeBack(owner, budget, amount) {
      const day = budget === 'publishedBytesPerDay' ? saoPauloDay(clock.now()).name : forGood
      await takeBackSpending(pool, { owner, kind: budget, day, amount })
    },
    secondsUntilTomorrow() {
      const now = clock.now()
      return Math.max(1, Math.ceil((Date.parse(saoPauloDay(now).until) - Date.parse(now)) / 1000))
    },
    async forget(owner) {
      await forgetSpending(pool, owner)
    },
  }
}
