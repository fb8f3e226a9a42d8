import type { Service } from '@prosa/kernel/ports'
import type { Config } from '@prosa/product/process/config'
import { findUnconfirmed, readRoleHolders } from '@prosa/projections/account/queries'
import { findSupportTenant } from '@prosa/projections/support-requests/queries'
import { type IdentityOptions, identity } from './identity.ts'
import { smtpMailer } from './mail/smtp-mailer.ts'

export const wireIdentity = (
  {
    production,
    trustedOrigins,
    smtp,
    roleList,
    supportEmail,
    sendingNeedsConfirmedEmail,
    identityUrl,
    termsVersion,
  }: Config,
  { showLink }: Pick<IdentityOptions, 'showLink'> = {},
): Service =>
  identity({
    production,
    publicUrl: trustedOrigins[0],
    mailer: smtp && smtpMailer(smtp),
    showLink,
    roleList,
    supportEmail,
    findSupportTenant,
    readRoleHolders,
    sendingNeedsConfirmedEmail,
    findUnconfirmed,
    termsVersion,
    givesTokens: identityUrl !== undefined,
  })
