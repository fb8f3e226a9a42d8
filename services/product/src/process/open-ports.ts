import type { Clock } from '@prosa/kernel/clock'
import * as kernel from '@prosa/kernel/process/open-ports'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import type { Pool } from 'pg'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { type AccountRules, defaultPlanRules, type PlanRules } from '../entitlements/plan-rules.ts'
import type { Entitlements } from '../entitlements/port.ts'
import type { Ports } from '../ports.ts'

export interface OpenPorts extends Ports {
  close(): Promise<void>
}

export interface ReadSide extends kernel.ReadSide {
  entitlements(pool: Pool, rules: AccountRules, clock: Clock): Entitlements
}

export interface PortSettings extends Omit<kernel.PortSettings, 'budgets'> {
  readSide: ReadSide
  budgets?: Budgets
  /** Default: the specification's. */
  planRules?: PlanRules
  sendingNeedsConfirmedEmail?: boolean
}

/** Throws what opening those of the kernel throws. */
export const openPorts = async ({
  budgets = defaultBudgets,
  planRules = defaultPlanRules,
  sendingNeedsConfirmedEmail = false,
  ...settings
}: PortSettings): Promise<OpenPorts> => {
  const ports = await kernel.openPorts({ ...settings, budgets })
  const rules = { ...planRules, sendingNeedsConfirmedEmail }
  const { pool, clock } = ports
  return {
    ...ports,
    budgets,
    spending: postgresSpending({ pool, clock, budgets }),
    entitlements: settings.readSide.entitlements(pool, rules, clock),
  }
}
