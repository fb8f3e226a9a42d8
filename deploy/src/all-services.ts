import type { Agent } from 'node:https'
import { automation } from '@prosa/automation/automation'
import { wireBilling } from '@prosa/billing/wire-billing'
import { contactsAt } from '@prosa/contacts/contacts'
import { wireIdentity } from '@prosa/identity/wire-identity'
import { administration } from '@prosa/product/administration/administration'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { wireProjections } from '@prosa/projections/wire-projections'
import { wireRealtime } from '@prosa/realtime/wire-realtime'
import { wireSessions } from '@prosa/sessions/wire-sessions'
import { wireStreams } from '@prosa/streams/wire-streams'

/** Only for hosts of development and tests. */
export interface Development {
  showLink?: (link: string) => void
  /** Agent for uploads to simulated phones. */
  simulatorUploads?: Agent
}

/** Every service of the product, in any order. */
export const allServices = (config: Config, development: Development = {}): Service[] => [
  administration,
  wireIdentity(config, development),
  wireBilling(config),
  contactsAt(config.trustedOrigins[0]),
  automation,
  ...wireSessions(config, development),
  wireProjections(config),
  wireRealtime(config),
  wireStreams(config),
]
