import { once as oneEvent } from 'node:events'
import { type TermsVersion, termsWritten } from '@prosa/contracts/values/terms'
import { retry } from '@prosa/kernel/async/retry'
import { effectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports, Service } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { openAccounts } from './accounts/accounts.ts'
import { configuredRoles, type RoleList } from './accounts/configured-roles.ts'
import { eraseAccountRoute } from './accounts/erase-account-route.ts'
import { forgetOnUserErased } from './accounts/forget-on-user-erased.ts'
import { profileRoutes } from './accounts/profile-routes.ts'
import { registerRoute } from './accounts/register-route.ts'
import { releaseOnEmailChanged } from './accounts/release-on-email-changed.ts'
import { termsRoutes } from './accounts/terms-routes.ts'
import { userAdministrationRoutes } from './accounts/user-administration-routes.ts'
import { backgroundWork } from './background-work.ts'
import { companyRoutes } from './company/company-routes.ts'
import { confirmationDemand } from './confirmation/confirmation-demand.ts'
import { confirmationRoutes } from './confirmation/confirmation-routes.ts'
import { confirmationTokens } from './confirmation/confirmation-tokens.ts'
import { demandConfirmations, type FindUnconfirmed } from './confirmation/demand-confirmations.ts'
import type { LinkDelivery } from './link-delivery.ts'
import { mailOnDeliveriesRefused } from './mail/mail-on-deliveries-refused.ts'
import { mailOnEmailChanged } from './mail/mail-on-email-changed.ts'
import { mailOnEmailUnconfirmed } from './mail/mail-on-email-unconfirmed.ts'
import { mailOnErasedBuyerCharged } from './mail/mail-on-erased-buyer-charged.ts'
import { mailOnLimitWarned } from './mail/mail-on-limit-warned.ts'
import { mailOnPasswordResetRequested } from './mail/mail-on-password-reset-requested.ts'
import { mailOnSupportRequested } from './mail/mail-on-support-requested.ts'
import { mailOnTemporaryPasswordSet } from './mail/mail-on-temporary-password-set.ts'
import { mailOnWebhookDisabled } from './mail/mail-on-webhook-disabled.ts'
import type { Mailer } from './mail/mailer.ts'
import { type HashQueue, hashMetrics, hashQueue } from './passwords/hash-queue.ts'
import { passwordResets } from './passwords/password-resets.ts'
import { passwordRoutes } from './passwords/password-routes.ts'
import { openPasswords } from './passwords/passwords.ts'
import { resetTokens } from './passwords/reset-tokens.ts'
import { deleteOnPhotoReplaced } from './photo/delete-on-photo-replaced.ts'
import { photoRoutes } from './photo/photo-routes.ts'
import { publicLinks } from './public-links.ts'
import { endSessionsOnCredentialChanged, followCredential } from './sessions/end-sessions-on-credential-changed.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { tokenRoutes } from './sessions/token-routes.ts'
import { supportRequest } from './support/support-request.ts'
import { type FindSupportTenant, supportRoutes } from './support/support-routes.ts'

export interface IdentityOptions {
  production: boolean
  /** For links; by default this process. */
  publicUrl: string | undefined
  /** Without one, links are in the reply, and in production nowhere. */
  mailer: Mailer | undefined
  /** To the operator; the log would redact its secret. */
  showLink?: (link: string) => void
  roleList: RoleList
  hashing?: HashQueue
  /** Without it only the administrators' list shows messages. */
  supportEmail?: string | undefined
  findSupportTenant?: FindSupportTenant
  readRoleHolders: (pool: Ports['pool']) => Promise<readonly string[]>
  sendingNeedsConfirmedEmail?: boolean
  findUnconfirmed?: FindUnconfirmed
  /** Other services take its tokens instead of cookies. */
  givesTokens?: boolean
  /** Default: as the texts were written. */
  termsVersion?: TermsVersion
}

const retryMs = 5000

export const identity = (options: IdentityOptions): Service => ({
  name: 'identity',
  async mount(ports) {
    const parts = await openParts(options, ports)
    const { hashing } = parts
    return {
      routes: routesOf(parts),
      reactors: [...ownReactors(parts), ...mailReactors(parts)],
      metrics: () => hashMetrics(hashing),
      run: (signal) => runUntil(signal, parts),
    }
  },
})

type Parts = Awaited<ReturnType<typeof openParts>>

const openParts = async (options: IdentityOptions, ports: Ports) => {
  const { production, mailer, roleList, sendingNeedsConfirmedEmail = false, hashing = hashQueue() } = options
  const { store, codec, clock, log, secrets, security } = ports
  const delivery: LinkDelivery = mailer ? 'mail' : production ? 'nowhere' : 'reply'
  if (delivery === 'nowhere')
    log.warn('no mail server is set (PROSA_SMTP_URL): nobody can reset a password or confirm an address')
  const accounts = openAccounts(ports)
  return {
    ...{ options, ports, accounts, delivery, hashing },
    passwords: await openPasswords(secrets, hashing),
    resetTokens: resetTokens(secrets),
    confirmationTokens: confirmationTokens({ box: ports.box, clock, production }),
    roles: configuredRoles({ accounts, list: roleList, mustBeConfirmed: production, log, security }),
    demand: confirmationDemand(clock, sendingNeedsConfirmedEmail),
    background: backgroundWork(log),
    follow: followCredential(ports, accounts),
    links: publicLinks(options.publicUrl),
    supportRequests: commandHandler({
      ...{ store, codec, clock },
      service: 'identity',
      category: 'supportRequest',
      decider: supportRequest,
      foreign: 'support_request_not_found',
    }),
  }
}

const routesOf =
  (parts: Parts): FastifyPluginAsync =>
  async (app) => {
    const { options, ports, accounts, passwords, roles, follow, demand, delivery, background, links } = parts
    const { showLink = () => undefined, findSupportTenant = async () => undefined } = options
    const { termsVersion = termsWritten } = options
    const byLink = { accounts, roles, delivery, showLink }
    links.leadTo(app)
    await app.register(registerRoute(ports, { accounts, passwords, roles, follow, demand, termsVersion }))
    await app.register(sessionRoutes(ports, { accounts, passwords, follow }))
    if (options.givesTokens) await app.register(tokenRoutes(ports))
    const resets = passwordResets({ accounts, passwords, tokens: parts.resetTokens, clock: ports.clock })
    const linkTo = links.resetPassword
    await app.register(passwordRoutes(ports, { ...byLink, passwords, resets, background, follow, linkTo }))
    await app.register(companyRoutes(ports))
    await app.register(termsRoutes(accounts, termsVersion))
    await app.register(profileRoutes({ accounts, passwords, roles, demand }))
    const tokens = parts.confirmationTokens
    await app.register(confirmationRoutes({ ...byLink, tokens, linkTo: links.confirmEmail }))
    await app.register(userAdministrationRoutes(ports, { accounts, passwords, configured: roles, follow, demand }))
    await app.register(eraseAccountRoute({ accounts, passwords, follow }))
    await app.register(photoRoutes(ports, accounts))
    await app.register(supportRoutes(ports, { requests: parts.supportRequests, findTenant: findSupportTenant }))
  }

const ownReactors = ({ ports, accounts, passwords, follow }: Parts): Reactor[] => [
  releaseOnEmailChanged(accounts),
  endSessionsOnCredentialChanged(follow),
  forgetOnUserErased(ports, accounts, passwords, follow),
  deleteOnPhotoReplaced(ports),
]

/** None without a mail server. */
const mailReactors = ({ options, ports, accounts, links, ...parts }: Parts): Reactor[] => {
  const { mailer, supportEmail, readRoleHolders } = options
  if (!mailer) return []
  const { clock, log, pool } = ports
  const { hostname } = links
  const mailing = { accounts, mailer, once: effectOnce(pool), clock, log }
  const toAdministrators = { ...mailing, hostname, pool, readRoleHolders, panelLink: links.panel }
  return [
    mailOnPasswordResetRequested({ ...mailing, tokens: parts.resetTokens, linkTo: links.resetPassword }),
    mailOnEmailChanged({ ...mailing, hostname }),
    mailOnTemporaryPasswordSet({ ...mailing, hostname }),
    mailOnLimitWarned({ ...mailing, hostname, link: links.billing }),
    mailOnWebhookDisabled({ ...mailing, hostname, link: links.webhooks }),
    mailOnDeliveriesRefused(toAdministrators),
    mailOnErasedBuyerCharged(toAdministrators),
    mailOnEmailUnconfirmed({ ...mailing, tokens: parts.confirmationTokens, linkTo: links.confirmEmail }),
    ...(supportEmail ? [mailOnSupportRequested({ ...mailing, to: supportEmail, hostname })] : []),
  ]
}

const runUntil = async (signal: AbortSignal, { options, ports, accounts, roles, demand, background }: Parts) => {
  const { readRoleHolders, findUnconfirmed = async () => [] } = options
  const { pool, clock, log } = ports
  const retried = (work: () => Promise<void>, failure: string) =>
    retry(work, {
      signal,
      pauseAfter: () => retryMs,
      onFailure: (error) => log.warn({ err: error }, `${failure}, will be retried`),
    })
  // The configuration may have changed.
  const start = deriveId('configured roles', clock.now())
  const context = { actor: { kind: 'system' as const, id: 'configured-roles' }, causationId: start }
  const contextFor = (userId: string) => ({ ...context, commandId: start, correlationId: start, tenant: userId })
  const settleRoles = async () => roles.settleAll(await readRoleHolders(pool), contextFor)
  await retried(settleRoles, 'the configured roles could not be settled')
  const demandAll = () => demandConfirmations({ pool, accounts, demand, findUnconfirmed }, signal)
  await retried(demandAll, 'confirmations could not be demanded')
  if (!signal.aborted) await oneEvent(signal, 'abort')
  await background.settled()
}
