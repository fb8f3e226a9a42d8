import type { Agent } from 'node:https'
import { automation } from '@prosa/automation/automation'
import { wireBilling } from '@prosa/billing/wire-billing'
import { contactsAt } from '@prosa/contacts/contacts'
import { wireIdentity } from '@prosa/identity/wire-identity'
import type { Service } from '@prosa/kernel/ports'
import type { Config } from '@prosa/kernel/process/config'
import { wireProjections } from '@prosa/projections/wire-projections'
import { wireRealtime } from '@prosa/realtime/wire-realtime'
import { wireSessions } from '@prosa/sessions/wire-sessions'

/** Only for hosts of development and tests. */
export interface Development {
  showLink?: (link: string) => void
  /** Agent for uploads to simulated phones. */
  simulatorUploads?: Agent
}

/** Every service of the product, in any order. */
export const allServices = (config: Config, development: Development = {}): Service[] => [
  wireIdentity(config, development),
  wireBilling(config),
  contactsAt(config.trustedOrigins[0]),
  automation,
  ...wireSessions(config, development),
  wireProjections(config),
  wireRealtime(config),
]
