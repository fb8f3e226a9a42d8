import { billing } from '@prosa/billing/billing'
import { contacts } from '@prosa/contacts/contacts'
import { identity } from '@prosa/identity/identity'
import type { Ports, Service } from '@prosa/kernel/ports'
import { readConnections } from '@prosa/projections/connections/queries'
import { projections } from '@prosa/projections/projections'
import { realtime } from '@prosa/realtime/realtime'
import { sessions } from '@prosa/sessions/sessions'
import type { Config } from './config.ts'

/** Every service of the product, in one process. */
export const allServices = (config: Config, ports: Ports): Service[] => [
  identity,
  billing,
  contacts,
  sessions({ webSocketUrl: config.webSocketUrl, production: config.production }),
  projections(),
  realtime({ readConnections: readConnections(ports), trustedOrigins: config.trustedOrigins }),
]
