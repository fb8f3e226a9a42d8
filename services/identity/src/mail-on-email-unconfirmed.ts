import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { type Clock, later } from '@prosa/kernel/clock'
import type { EffectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Accounts } from './accounts.ts'
import { type ConfirmationTokens, confirmationDays } from './confirmation-tokens.ts'
import { type ConfirmationMailFacts, confirmationMail } from './mail/confirmation-mail.ts'
import type { Mailer } from './mail/mailer.ts'

const name = 'mail-on-email-unconfirmed'
/** Skips history when a mail server is first configured. */
const usefulMs = 24 * 3_600_000

interface Deps {
  accounts: Pick<Accounts, 'users'>
  tokens: ConfirmationTokens
  mailer: Mailer
  once: EffectOnce
  clock: Clock
  log: Logger
  linkTo: (token: string) => string
}

export const mailOnEmailUnconfirmed = ({ accounts, tokens, mailer, once, clock, log, linkTo }: Deps): Reactor => {
  const mail = async (
    { id, stream, metadata }: Stored,
    emailChangeId: string | null,
    more: Pick<ConfirmationMailFacts, 'isTrialUsed' | 'until'> = {},
  ) => {
    if (later(metadata.recordedAt, usefulMs) < clock.now())
      return log.info({ event: id }, 'a link to confirm an address would come too late')
    const userId = parseStream(stream).id
    const { email: to, ...account } = await accounts.users.load(userId, userId)
    if (account.isErased || account.isEmailConfirmed || account.emailChangeId !== emailChangeId || to === erasedEmail)
      return
    const effectId = deriveId(name, id)
    await once(effectId, () => {
      const link = linkTo(tokens.issue({ userId, emailChangeId }, 'mail'))
      const messageId = `<${effectId}@${new URL(link).hostname}>`
      return mailer.send(confirmationMail({ to, link, days: confirmationDays, messageId, ...more }))
    })
  }
  return {
    name,
    categories: ['user'],
    // A stuck mail must not block others.
    key: ({ id }) => id,
    on: {
      UserRegistered: (event) => mail(event, null, { isTrialUsed: event.data.isTrialUsed }),
      EmailChanged: (event) => mail(event, event.data.changeId, { isTrialUsed: event.data.isTrialUsed }),
      // Registrations and changes send a mail of their own.
      async EmailConfirmationDemanded(event) {
        const { actor } = event.metadata
        if (actor.kind !== 'system') return
        const userId = parseStream(event.stream).id
        const { emailChangeId } = await accounts.users.load(userId, userId)
        await mail(event, emailChangeId, { until: event.data.until })
      },
      async EmailConfirmationRequested(event) {
        if (event.data.delivery === 'mail') await mail(event, event.data.emailChangeId)
      },
    },
  }
}
