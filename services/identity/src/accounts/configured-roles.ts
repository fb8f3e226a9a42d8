import type { Role } from '@prosa/contracts/values/role'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SecurityLog } from '@prosa/kernel/observability/security-log'
import type { Accounts } from './accounts.ts'
import type { User, UserEvent } from './user.ts'

/** Lower-case e-mail addresses or account ids by role. */
export type RoleList = Record<Role, readonly string[]>

export interface ConfiguredRolesDeps {
  accounts: Accounts
  list: RoleList
  /** Someone with the password must confirm the address by a mailed link. */
  mustBeConfirmed: boolean
  log: Logger
  security: SecurityLog
}

/** See decision 0011. */
export interface ConfiguredRoles {
  /** Returns the position of the change; null for none. */
  settle(userId: string, context: CommandContext): Promise<Position | null>
  /** As an administrator decides; the caller handles the refusal. */
  setAnalyst(userId: string, isAnalyst: boolean, context: CommandContext): ReturnType<Accounts['users']>
  /** Settles all listed users and current holders. */
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

  const record = (userId: string, events: readonly UserEvent[], correlationId: string) => {
    for (const { type, data } of events) {
      if (type === 'RoleGranted') security.record('role_granted', { userId, role: data.role, correlationId })
      if (type === 'RoleRevoked') security.record('role_revoked', { userId, role: data.role, correlationId })
    }
  }

  const settle: ConfiguredRoles['settle'] = async (userId, context) => {
    const user = await accounts.users.load(userId, userId)
    const roles = listed(userId, user)
    const isWaiting = roleNames.some((role) => list[role].includes(user.email) && !roles.includes(role))
    if (isWaiting) log.warn({ user: userId }, 'an account with a role waits until a mailed link has proved its address')
    const outcome = await accounts.users(userId, { type: 'SettleRoles', data: { roles } }, context)
    if (!outcome.ok || outcome.events.length === 0) return null
    record(userId, outcome.events, context.correlationId)
    return outcome.position
  }

  return {
    settle,
    async setAnalyst(userId, isAnalyst, context) {
      const data = { isAnalyst, mustBeConfirmed }
      const outcome = await accounts.users(userId, { type: 'SetAnalyst', data }, context)
      if (outcome.ok) record(userId, outcome.events, context.correlationId)
      return outcome
    },
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
