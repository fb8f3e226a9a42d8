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

type Opening<S> = (settings: S & Pick<PortSettings, 'budgets'>) => Promise<kernel.OpenPorts>

const openWith =
  <S extends Omit<PortSettings, 'services'>>(open: Opening<S>) =>
  async (settings: S): Promise<OpenPorts> => {
    const { budgets = defaultBudgets, planRules = defaultPlanRules, sendingNeedsConfirmedEmail = false } = settings
    const ports = await open({ ...settings, budgets })
    const rules = { ...planRules, sendingNeedsConfirmedEmail }
    const { pool, clock } = ports
    return {
      ...ports,
      budgets,
      spending: postgresSpending({ pool, clock, budgets }),
      entitlements: settings.readSide.entitlements(pool, rules, clock),
    }
  }

/** Throws the errors of the kernel's. */
export const openPorts = openWith<PortSettings>(kernel.openPorts)

/** The same for a database that has this version. */
export const openMigratedPorts = openWith<Omit<PortSettings, 'services'>>(kernel.openMigratedPorts)
