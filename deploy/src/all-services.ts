import { billing } from '@prosa/billing/billing'
import { contacts } from '@prosa/contacts/contacts'
import { identity } from '@prosa/identity/identity'
import { smtpMailer } from '@prosa/identity/mail/smtp-mailer'
import type { Ports, Service } from '@prosa/kernel/ports'
import { readRoleHolders } from '@prosa/projections/account/queries'
import { readConnections } from '@prosa/projections/connections/queries'
import { projections } from '@prosa/projections/projections'
import { realtime } from '@prosa/realtime/realtime'
import { sessions } from '@prosa/sessions/sessions'
import type { Config } from './config.ts'

/** Every service of the product, in one process. */
export const allServices = (config: Config, ports: Ports, tellLink?: (link: string) => void): Service[] => [
  // First, so that its tables are there when others look into them.
  projections(),
  identity({
    production: config.production,
    publicUrl: config.trustedOrigins[0],
    mailer: config.smtp && smtpMailer(config.smtp),
    tellLink,
    roleList: config.roleList,
    readRoleHolders: () => readRoleHolders(ports.pool),
  }),
  billing,
  contacts,
  sessions({ webSocketUrl: config.webSocketUrl, production: config.production }),
  realtime({ readConnections: readConnections(ports), trustedOrigins: config.trustedOrigins }),
]
