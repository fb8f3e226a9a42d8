import { systemClock } from '@prosa/kernel/clock'
import { postgresSpending } from '@prosa/kernel/spending/spending'
import * as kernel from '@prosa/kernel/testing/test-ports'
import { defaultBudgets } from '../budgets.ts'
import { memoryEntitlements } from '../entitlements/memory.ts'
import type { Ports } from '../ports.ts'

export interface TestPorts extends Ports {
  close(): Promise<void>
}

type TestPortsOptions = Partial<Ports> & Pick<kernel.TestPortsOptions, 'masterSecret' | 'migrations'>

/** Log in memory, real PostgreSQL. Same `masterSecret`: shared secrets. */
export const testPorts = async ({
  budgets = defaultBudgets,
  entitlements = memoryEntitlements(systemClock),
  ...more
}: TestPortsOptions = {}): Promise<TestPorts> => {
  const ports = await kernel.testPorts({ ...more, budgets })
  const { pool, clock } = ports
  return { ...ports, spending: postgresSpending({ pool, clock, budgets }), ...more, budgets, entitlements }
}
