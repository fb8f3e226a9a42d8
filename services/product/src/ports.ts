import type { Ports as KernelPorts, Service as KernelService } from '@prosa/kernel/ports'
import type { Spending } from '@prosa/kernel/spending/spending'
import type { Budgets } from './budgets.ts'
import type { Entitlements } from './entitlements/port.ts'

export interface Ports extends KernelPorts {
  entitlements: Entitlements
  budgets: Budgets
  spending: Spending<keyof Budgets>
}

export type Service = KernelService<Ports>
