import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { type Clock, later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/log'
import type { EffectOnce } from '@prosa/kernel/reactors/effect-once'
import type { Reactor } from '@prosa/kernel/reactors/reactor'
import type { Accounts } from './accounts.ts'
import { emailChangedMail } from './mail/email-changed-mail.ts'
import type { Mailer } from './mail/mailer.ts'

const name = 'mail-on-email-changed'
/**
 * A notice that comes later helps nobody; and where a mail server is set for the first time, the log holds years of
 * changes.
 */
const newsMilliseconds = 24 * 3_600_000

interface Deps {
  accounts: Pick<Accounts, 'users'>
  mailer: Mailer
  once: EffectOnce
  clock: Clock
  log: Logger
  /** Of the sender of mails; ids of mails end in it. */
  hostname: () => string
}

/** Tells the former address that the account has left it. */
export const mailOnEmailChanged = ({ accounts, mailer, once, clock, log, hostname }: Deps): Reactor => ({
  name,
  categories: ['user'],
  key: ({ id }) => id,
  on: {
    async EmailChanged({ id, stream, data, metadata }) {
      const { formerEmail: to } = data
      if (later(metadata.recordedAt, newsMilliseconds) < clock.now())
        return log.info({ event: id }, 'a notice of a change of address would come too late')
      const userId = parseStream(stream).id
      const { isErased } = await accounts.users.load(userId, userId)
      if (isErased || to === erasedEmail) return
      const effectId = deriveId(name, id)
      await once(effectId, () => mailer.send(emailChangedMail({ to, messageId: `<${effectId}@${hostname()}>` })))
    },
  },
})
