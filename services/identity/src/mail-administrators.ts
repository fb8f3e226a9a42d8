import { erasedEmail } from '@prosa/contracts/values/personal'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import type { Mail } from './mail/mailer.ts'
import type { NoticeDeps } from './mail-notice.ts'

export interface AdministratorNoticeDeps extends NoticeDeps {
  pool: Ports['pool']
  readRoleHolders: (pool: Ports['pool']) => Promise<readonly string[]>
  /** `tab` is a tab of the panel, e.g. `webhook`. */
  panelLink: (tab: string) => string
}

/** Later the panel shows it; skips history when a mail server is first configured. */
const usefulMs = 24 * 3_600_000

interface AdministratorNotice {
  /** Name of the reactor. */
  name: string
  /** For the log. */
  about: string
  write: (mail: { to: string; messageId: string }) => Mail
}

/** Once each. Continues after failures, then throws the first. */
export const mailAdministrators = async (
  { accounts, mailer, once, clock, log, hostname, pool, readRoleHolders }: AdministratorNoticeDeps,
  { id, metadata }: Pick<Stored, 'id' | 'metadata'>,
  { name, about, write }: AdministratorNotice,
): Promise<void> => {
  if (later(metadata.recordedAt, usefulMs) < clock.now())
    return log.info({ event: id }, `a notice of ${about} would come too late`)
  const errors: unknown[] = []
  for (const userId of await readRoleHolders(pool)) {
    const { roles, email } = await accounts.users.load(userId, userId)
    // Read while being erased: the roles are still there, the address is not.
    if (email === erasedEmail || !roles.includes('admin')) continue
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
