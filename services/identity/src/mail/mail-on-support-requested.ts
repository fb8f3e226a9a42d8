import { erasedEmail } from '@prosa/contracts/values/personal'
import { type Clock, later } from '@prosa/kernel/clock'
import type { EffectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Accounts } from '../accounts/accounts.ts'
import type { Mailer } from './mailer.ts'
import { supportMail } from './support-mail.ts'

const name = 'mail-on-support-requested'
/** Skips history when a mail server is first configured. */
const usefulMs = 7 * 24 * 3_600_000

interface Deps {
  accounts: Pick<Accounts, 'users'>
  mailer: Mailer
  once: EffectOnce
  clock: Clock
  log: Logger
  /** Support staff. */
  to: string
  /** Suffix of mail ids. */
  hostname: () => string
}

export const mailOnSupportRequested = ({ accounts, mailer, once, clock, log, to, hostname }: Deps): Reactor => ({
  name,
  categories: ['supportRequest'],
  key: ({ id }) => id,
  on: {
    async SupportRequested({ id, data, metadata: { tenant, recordedAt } }) {
      if (tenant === null) return
      if (later(recordedAt, usefulMs) < clock.now())
        return log.info({ event: id }, 'a mail about a message to support is not sent: too old')
      const { firstName, lastName, email, isEmailConfirmed, isErased } = await accounts.users.load(tenant, tenant)
      if (isErased || email === erasedEmail) return
      const effectId = deriveId(name, id)
      const messageId = `<${effectId}@${hostname()}>`
      const from = { name: `${firstName} ${lastName}`, email, isEmailConfirmed }
      await once(effectId, () => mailer.send(supportMail({ ...data, to, from, messageId })))
    },
  },
})
