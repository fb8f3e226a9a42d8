import type { Agent } from 'node:https'
import { billing } from '@prosa/billing/billing'
import { contacts } from '@prosa/contacts/contacts'
import { identity } from '@prosa/identity/identity'
import { smtpMailer } from '@prosa/identity/mail/smtp-mailer'
import type { Ports, Service } from '@prosa/kernel/ports'
import { readRoleHolders } from '@prosa/projections/account/queries'
import { readConnections } from '@prosa/projections/connections/queries'
import { projections } from '@prosa/projections/projections'
import { realtime } from '@prosa/realtime/realtime'
import { media } from '@prosa/sessions/media/media-service'
import { networkNames, networksOf } from '@prosa/sessions/networks'
import { sessions } from '@prosa/sessions/sessions'
import type { Config } from './config.ts'

/** What only hosts for development and tests have. */
export interface Development {
  /** Shows a link that would go out by mail. */
  tellLink?: (link: string) => void
  /** How files get to simulated phones. */
  simulatorUploads?: Agent
}

/** Every service of the product, in one process. */
export const allServices = (
  config: Config,
  ports: Ports,
  { tellLink, simulatorUploads }: Development = {},
): Service[] => {
  const networks = networksOf(config.webSocketUrl, config.simulatorUrl)
  return [
    // First, so that its tables are there when others look into them.
    projections({ networks: networkNames(networks) }),
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
    // Simulated phones keep their files on this machine.
    media({ loopback: !config.production && (config.simulatorUrl ?? config.webSocketUrl) !== undefined }),
    sessions({ networks, production: config.production, simulatorUploads }),
    realtime({ readConnections: readConnections(ports, networks[0].name), trustedOrigins: config.trustedOrigins }),
  ]
}
