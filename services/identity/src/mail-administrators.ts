import { erasedEmail } from '@prosa/contracts/values/personal'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import type { Mail } from './mail/mailer.ts'
import type { NoticeDeps } from './mail-notice.ts'

export interface AdministratorNoticeDeps extends NoticeDeps {
  pool: Ports['pool']
  /** The users who hold a role now, as their read model shows it. */
  readRoleHolders: (pool: Ports['pool']) => Promise<readonly string[]>
  /** The address of a tab of the administrators' panel, e.g. `webhook`. */
  panelLink: (tab: string) => string
}

/** Later, it stands in the panel; and where a mail server is set for the first time, the log holds years of it. */
const usefulMs = 24 * 3_600_000

interface AdministratorNotice {
  /** Of the reactor that sends it. */
  name: string
  /** What it is about, for the log. */
  about: string
  write: (mail: { to: string; messageId: string }) => Mail
}

/**
 * Sends a notice to every administrator, once each. Where one of the mails cannot be sent the others are all the same, and the first error
 * is thrown then.
 */
export const mailAdministrators = async (
  { accounts, mailer, once, clock, log, hostname, pool, readRoleHolders }: AdministratorNoticeDeps,
  { id, metadata }: Pick<Stored, 'id' | 'metadata'>,
  { name, about, write }: AdministratorNotice,
): Promise<void> => {
  if (later(metadata.recordedAt, usefulMs) < clock.now())
    return log.info({ event: id }, `a notice of ${about} would come too late`)
  const errors: unknown[] = []
  for (const userId of await readRoleHolders(pool)) {
    const { roles, email, isErased } = await accounts.users.load(userId, userId)
    if (isErased || email === erasedEmail || !roles.includes('admin')) continue
    const effectId = deriveId(name, id, userId)
    const mail = write({ to: email, messageId: `<${effectId}@${hostname()}>` })
    try {
      await once(effectId, () => mailer.send(mail))
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
