import { parseStream } from '@prosa/contracts/streams'
import type { EffectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Accounts } from '../accounts/accounts.ts'
import { resetMinutes } from '../passwords/password-resets.ts'
import type { ResetTokens } from '../passwords/reset-tokens.ts'
import type { Mailer } from './mailer.ts'
import { resetMail } from './reset-mail.ts'

const name = 'mail-on-password-reset-requested'

interface Deps {
  accounts: Accounts
  tokens: ResetTokens
  mailer: Mailer
  once: EffectOnce
  linkTo: (token: string) => string
  log: Logger
}

/** Skipped after a newer link, another address or expiry. */
export const mailOnPasswordResetRequested = ({ accounts, tokens, mailer, once, linkTo, log }: Deps): Reactor => ({
  name,
  categories: ['passwordReset'],
  // A stuck mail must not block others.
  key: ({ id }) => id,
  on: {
    async PasswordResetRequested(event) {
      const { resetId, delivery, emailChangeId } = event.data
      if (delivery !== 'mail') return
      const token = await tokens.toMail(resetId)
      if (token === undefined) return log.info({ reset: resetId }, 'a reset link was mailed before, or ran out unsent')
      const userId = parseStream(event.stream).id
      const { open } = await accounts.resets.load(userId, userId)
      const user = await accounts.users.load(userId, userId)
      if (open?.resetId === resetId && user.emailChangeId === emailChangeId) {
        const link = linkTo(token)
        const messageId = `<${resetId}@${new URL(link).hostname}>`
        const { email: to } = user
        await once(deriveId(name, event.id), () =>
          mailer.send(resetMail({ to, link, minutes: resetMinutes, messageId })),
        )
      }
      await tokens.wasMailed(resetId)
    },
  },
})
