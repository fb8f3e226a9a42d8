import { once as oneEvent } from 'node:events'
import { retry } from '@prosa/kernel/async/retry'
import { effectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import { deriveId } from '@prosa/kernel/derive-id'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports, Service } from '@prosa/kernel/ports'
import { openAccounts } from './accounts.ts'
import { backgroundWork } from './background-work.ts'
import { companyRoutes } from './company-routes.ts'
import { configuredRoles, type RoleList } from './configured-roles.ts'
import { confirmationDemand } from './confirmation-demand.ts'
import { confirmationRoutes } from './confirmation-routes.ts'
import { confirmationTokens } from './confirmation-tokens.ts'
import { demandConfirmations, type FindUnconfirmed } from './demand-confirmations.ts'
import { endSessionsOnCredentialChanged, followCredential } from './end-sessions-on-credential-changed.ts'
import { eraseAccountRoute } from './erase-account-route.ts'
import { forgetOnUserErased } from './forget-on-user-erased.ts'
import { type HashQueue, hashMetrics, hashQueue } from './hash-queue.ts'
import type { LinkDelivery } from './link-delivery.ts'
import type { Mailer } from './mail/mailer.ts'
import { mailOnDeliveriesRefused } from './mail-on-deliveries-refused.ts'
import { mailOnEmailChanged } from './mail-on-email-changed.ts'
import { mailOnEmailUnconfirmed } from './mail-on-email-unconfirmed.ts'
import { mailOnErasedBuyerCharged } from './mail-on-erased-buyer-charged.ts'
import { mailOnPasswordResetRequested } from './mail-on-password-reset-requested.ts'
import { mailOnSupportRequested } from './mail-on-support-requested.ts'
import { mailOnTemporaryPasswordSet } from './mail-on-temporary-password-set.ts'
import { passwordResets } from './password-resets.ts'
import { passwordRoutes } from './password-routes.ts'
import { openPasswords } from './passwords.ts'
import { deleteOnPhotoReplaced } from './photo/delete-on-photo-replaced.ts'
import { photoRoutes } from './photo/photo-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import { releaseOnEmailChanged } from './release-on-email-changed.ts'
import { resetTokens } from './reset-tokens.ts'
import { identityRoutes } from './routes.ts'
import { supportRequest } from './support-request.ts'
import { type FindSupportOwner, supportRoutes } from './support-routes.ts'
import { userAdministrationRoutes } from './user-administration-routes.ts'

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
  findSupportOwner?: FindSupportOwner
  readRoleHolders: (pool: Ports['pool']) => Promise<readonly string[]>
  sendingNeedsConfirmedEmail?: boolean
  findUnconfirmed?: FindUnconfirmed
}

const retryMs = 5000

export const identity = (options: IdentityOptions): Service => ({
  name: 'identity',
  async mount(ports) {
    const { production, mailer, showLink = () => undefined, roleList, readRoleHolders, hashing = hashQueue() } = options
    const { clock, log, pool, secrets, security, store, codec } = ports
    const { supportEmail, findSupportOwner = async () => undefined } = options
    const { sendingNeedsConfirmedEmail = false, findUnconfirmed = async () => [] } = options
    const demand = confirmationDemand(clock, sendingNeedsConfirmedEmail)
    const accounts = openAccounts(ports)
    const supportRequests = commandHandler({
      ...{ store, codec, clock },
      service: 'identity',
      category: 'supportRequest',
      decider: supportRequest,
      foreign: 'support_request_not_found',
    })
    const passwords = await openPasswords(secrets, hashing)
    const tokens = resetTokens(secrets)
    const confirmations = confirmationTokens({ box: ports.box, clock, production })
    const resets = passwordResets({ accounts, passwords, tokens, clock })
    const roles = configuredRoles({ accounts, list: roleList, mustBeConfirmed: production, log, security })
    const background = backgroundWork(log)
    const follow = followCredential(ports, accounts)
    const delivery: LinkDelivery = mailer ? 'mail' : production ? 'nowhere' : 'reply'
    if (delivery === 'nowhere')
      log.warn('no mail server is set (PROSA_SMTP_URL): nobody can reset a password or confirm an address')

    let base = options.publicUrl
    const address = () => {
      if (base === undefined) throw new Error('the address of this process is not known yet')
      return new URL(base)
    }
    const linkTo = (token: string) => new URL(`/reset-password?token=${token}`, address()).href
    const confirmationLinkTo = (token: string) => new URL(`/confirm-email?token=${token}`, address()).href
    const hostname = () => address().hostname
    const panelLink = (tab: string) => new URL(`/admin?aba=${tab}`, address()).href
    const once = effectOnce(pool)
    const toAdministrators = { accounts, once, clock, log, hostname, pool, readRoleHolders, panelLink }

    /** The configuration may have changed. */
    const settleRoles = async (signal: AbortSignal) => {
      const start = deriveId('configured roles', clock.now())
      const context = { actor: { kind: 'system' as const, id: 'configured-roles' }, causationId: start }
      const contextFor = (userId: string) => ({ ...context, commandId: start, correlationId: start, owner: userId })
      await retry(async () => roles.settleAll(await readRoleHolders(pool), contextFor), {
        signal,
        pauseAfter: () => retryMs,
        onFailure: (error) => log.warn({ err: error }, 'the configured roles could not be settled, will be retried'),
      })
    }

    return {
      routes: async (app) => {
        app.addHook('onListen', async () => {
          const listening = app.server.address()
          if (listening && typeof listening === 'object') base ??= `http://localhost:${listening.port}`
        })
        await app.register(identityRoutes(ports, { accounts, passwords, roles, follow, demand }))
        await app.register(
          passwordRoutes(ports, {
            accounts,
            passwords,
            resets,
            roles,
            background,
            follow,
            delivery,
            linkTo,
            showLink,
          }),
        )
        await app.register(companyRoutes(ports))
        await app.register(profileRoutes({ accounts, passwords, roles, demand }))
        const shared = { accounts, tokens: confirmations, roles, delivery, showLink }
        await app.register(confirmationRoutes({ ...shared, linkTo: confirmationLinkTo }))
        await app.register(userAdministrationRoutes(ports, { accounts, passwords, configured: roles, follow, demand }))
        await app.register(eraseAccountRoute({ accounts, passwords, follow }))
        await app.register(photoRoutes(ports, accounts))
        await app.register(supportRoutes(ports, { requests: supportRequests, findOwner: findSupportOwner }))
      },
      reactors: [
        releaseOnEmailChanged(accounts),
        endSessionsOnCredentialChanged(follow),
        forgetOnUserErased(ports, accounts, passwords, follow),
        deleteOnPhotoReplaced(ports),
        ...(mailer
          ? [
              mailOnPasswordResetRequested({ accounts, tokens, mailer, once, linkTo, log }),
              mailOnEmailChanged({ accounts, mailer, once, clock, log, hostname }),
              mailOnTemporaryPasswordSet({ accounts, mailer, once, clock, log, hostname }),
              ...[mailOnDeliveriesRefused, mailOnErasedBuyerCharged].map((on) => on({ ...toAdministrators, mailer })),
              mailOnEmailUnconfirmed({
                ...{ accounts, mailer, once, clock, log },
                tokens: confirmations,
                linkTo: confirmationLinkTo,
              }),
            ]
          : []),
        ...(mailer && supportEmail
          ? [mailOnSupportRequested({ accounts, mailer, once, clock, log, to: supportEmail, hostname })]
          : []),
      ],
      metrics: () => hashMetrics(hashing),
      run: async (signal) => {
        await settleRoles(signal)
        await retry(() => demandConfirmations({ pool, accounts, demand, findUnconfirmed }, signal), {
          signal,
          pauseAfter: () => retryMs,
          onFailure: (error) => log.warn({ err: error }, 'confirmations could not be demanded, will be retried'),
        })
        if (!signal.aborted) await oneEvent(signal, 'abort')
        await background.settled()
      },
    }
  },
})
