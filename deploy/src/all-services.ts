import type { Agent } from 'node:https'
import { automationAt } from '@prosa/automation/automation'
import { wireBilling } from '@prosa/billing/wire-billing'
import { contactsAt } from '@prosa/contacts/contacts'
import { wireIdentity } from '@prosa/identity/wire-identity'
import { administration } from '@prosa/product/administration/administration'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { wireProjections } from '@prosa/projections/wire-projections'
import { wireRealtime } from '@prosa/realtime/wire-realtime'
import { wireSessions } from '@prosa/sessions/wire-sessions'
import { webhooksAt } from '@prosa/streams/webhooks/webhooks-service'
import { wireStreams } from '@prosa/streams/wire-streams'
import type { ProcessName } from './topology/processes.ts'

/** Only for hosts of development and tests. */
export interface Development {
  showLink?: (link: string) => void
  /** Agent for uploads to simulated phones. */
  simulatorUploads?: Agent
}

type Wire = (config: Config, development: Development) => readonly Service[]

/** Of each process, beside those that every process has. */
export const servicesOf: Record<Exclude<ProcessName, 'web'>, Wire> = {
  identity: (config, development) => [wireIdentity(config, development)],
  billing: (config) => [wireBilling(config)],
  contacts: ({ trustedOrigins }) => [contactsAt(trustedOrigins[0])],
  automation: ({ reach }) => [automationAt({ reach })],
  sessions: (config, development) => wireSessions(config, development),
  projections: (config) => [wireProjections(config)],
  realtime: (config) => [wireRealtime(config)],
  streams: (config) => [wireStreams(config), webhooksAt({ reach: config.reach })],
}

/** Every service of the product, in any order. */
export const allServices = (config: Config, development: Development = {}): Service[] => [
  administration,
  ...Object.values(servicesOf).flatMap((wire) => wire(config, development)),
]
