import { parseStream } from '@prosa/contracts/streams'
import { erasedEmail } from '@prosa/contracts/values/personal'
import { type Clock, later } from '@prosa/kernel/clock'
import type { EffectOnce } from '@prosa/kernel/consumers/engine/effect-once'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Logger } from '@prosa/kernel/observability/log'
import type { Accounts } from '../accounts/accounts.ts'
import type { User } from '../accounts/user.ts'
import type { Mail, Mailer } from './mailer.ts'

export interface NoticeDeps {
  accounts: Pick<Accounts, 'users'>
  mailer: Mailer
  once: EffectOnce
  clock: Clock
  log: Logger
  /** Suffix of mail ids. */
  hostname: () => string
}

/** Late notices are useless; skips history when a mail server is first configured. */
const noticeMs = 24 * 3_600_000

interface Notice {
  /** Name of the reactor. */
  name: string
  /** For the log. */
  about: string
  to: (user: User) => string
  write: (mail: { to: string; messageId: string }) => Mail
}

/** Sends once, and not to erased accounts. */
export const sendNotice = async (
  { accounts, mailer, once, clock, log, hostname }: NoticeDeps,
  { id, stream, metadata }: Pick<Stored, 'id' | 'stream' | 'metadata'>,
  { name, about, to, write }: Notice,
): Promise<void> => {
  if (later(metadata.recordedAt, noticeMs) < clock.now())
    return log.info({ event: id }, `a notice of ${about} is not sent: too old`)
  const userId = parseStream(stream).id
  const user = await accounts.users.load(userId, userId)
  const address = to(user)
  if (user.isErased || address === erasedEmail) return
  const effectId = deriveId(name, id)
  await once(effectId, () => mailer.send(write({ to: address, messageId: `<${effectId}@${hostname()}>` })))
}
