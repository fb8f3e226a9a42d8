import type { Role } from '@prosa/contracts/values/role'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SecurityLog } from '@prosa/kernel/observability/security-log'
import type { Accounts } from './accounts.ts'
import type { User } from './user.ts'

/** By role, the e-mail addresses (in lower case) or ids of the accounts that shall have it. */
export type RoleList = Record<Role, readonly string[]>

export interface ConfiguredRolesDeps {
  accounts: Accounts
  list: RoleList
  /** Whether an address counts only once a mailed link has proved whose it is, to somebody with the password. */
  mustBeConfirmed: boolean
  log: Logger
  security: SecurityLog
}

/** The roles that the configuration gives; decision 0011 explains why an address alone may not be enough. */
export interface ConfiguredRoles {
  /** Grants and revokes what differs; the position of the change, null when there was none. */
  settle(userId: string, context: CommandContext): Promise<Position | null>
  /** The same for everybody who is listed, and for those who hold a role although they may not be listed any more. */
  settleAll(holders: readonly string[], contextOf: (userId: string) => CommandContext): Promise<void>
}

export const configuredRoles = ({
  accounts,
  list,
  mustBeConfirmed,
  log,
  security,
}: ConfiguredRolesDeps): ConfiguredRoles => {
  const roleNames = Object.keys(list) as Role[]

  const listed = (userId: string, { email, isHolderConfirmed }: User): Role[] => {
    const addressCounts = isHolderConfirmed || !mustBeConfirmed
    return roleNames.filter((role) => list[role].includes(userId) || (addressCounts && list[role].includes(email)))
  }

  const settle: ConfiguredRoles['settle'] = async (userId, context) => {
    const user = await accounts.users.load(userId, userId)
    const roles = listed(userId, user)
    const isWaiting = roleNames.some((role) => list[role].includes(user.email) && !roles.includes(role))
    if (isWaiting) log.warn({ user: userId }, 'an account with a role waits until a mailed link has proved its address')
    const outcome = await accounts.users(userId, { type: 'SettleRoles', data: { roles } }, context)
    if (!outcome.ok || outcome.events.length === 0) return null
    const { correlationId } = context
    for (const { type, data } of outcome.events) {
      if (type === 'RoleGranted') security.record('role_granted', { userId, role: data.role, correlationId })
      if (type === 'RoleRevoked') security.record('role_revoked', { userId, role: data.role, correlationId })
    }
    return outcome.position
  }

  return {
    settle,
    async settleAll(holders, contextOf) {
      const users = new Set(holders)
      for (const entry of Object.values(list).flat()) {
        const userId = entry.includes('@') ? (await accounts.find(entry))?.id : entry
        if (userId) users.add(userId)
      }
      for (const userId of users) await settle(userId, contextOf(userId))
    },
  }
}
