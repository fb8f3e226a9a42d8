import { type Clock, later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { RequestedCommand } from '@prosa/kernel/http/idempotency/idempotency'
import type { Accounts } from '../accounts/accounts.ts'
import type { Passwords } from './passwords.ts'
import type { ResetTokens } from './reset-tokens.ts'

/** OWASP only asks for 'an appropriate period'; ASVS 5.0, 6.5.5, limits guessable codes to 10 minutes. */
export const resetMinutes = 30

/** Beyond the limit a younger link is reused: its mail may still be on the way. */
const youngMinutes = 10

export interface PasswordResets {
  /**
   * Invalidates older links; undefined for unknown addresses and repetitions. If `isTooOften`, a link of the last ten minutes stays valid
   * and nothing is mailed.
   */
  request(email: string, delivery: 'mail' | 'reply', request: Asking): Promise<string | undefined>
  /** Undefined if the link is no longer valid. */
  use(token: string, password: string, request: Asking): Promise<{ userId: string } | undefined>
}

/** The requester is not authenticated. */
export interface Asking {
  id: string
  command: RequestedCommand
  /** The request exceeds the rate limit. */
  isTooOften?: boolean
}

interface Deps {
  accounts: Accounts
  passwords: Passwords
  tokens: ResetTokens
  clock: Clock
}

export const passwordResets = ({ accounts, passwords, tokens, clock }: Deps): PasswordResets => {
  const contextOf = ({ id, command }: Asking, userId: string): CommandContext => ({
    commandId: command.id,
    repeated: command.repeated,
    actor: { kind: 'system', id: 'password-reset' },
    tenant: userId,
    causationId: id,
    correlationId: id,
  })

  return {
    async request(email, delivery, request) {
      const found = await accounts.find(email)
      if (!found) return undefined
      const { id: userId, credentialId, emailChangeId } = found
      const resetId = deriveId(request.command.id, userId, 'reset')
      const { open } = await accounts.resets.load(userId, userId)
      if (open?.resetId === resetId) return undefined
      const expiresAt = later(clock.now(), resetMinutes * 60_000)
      const isYoung = open && later(open.expiresAt, youngMinutes * 60_000) > expiresAt
      const holds = open?.credentialId === credentialId && open.emailChangeId === emailChangeId
      if (request.isTooOften && isYoung && holds && open.delivery === delivery) return undefined
      const token = await tokens.issue({ userId, resetId }, delivery, expiresAt)
      const data = { resetId, credentialId, emailChangeId, delivery, expiresAt }
      await accounts.resets(userId, { type: 'RequestReset', data }, contextOf(request, userId))
      return token
    },

    async use(token, password, request) {
      const found = await tokens.find(token)
      if (!found) return undefined
      const { userId, resetId } = found
      const context = contextOf(request, userId)
      const complete = async () => {
        await accounts.resets(userId, { type: 'CompleteReset', data: { resetId } }, context)
        return { userId }
      }
      if (request.command.repeated && (await accounts.users.earlier(userId, 'ResetPassword', context)))
        return complete()
      const { open } = await accounts.resets.load(userId, userId)
      if (open?.resetId !== resetId || open.expiresAt <= clock.now()) return undefined
      const { credentialId: insteadOf, emailChangeId, delivery } = open
      const credentialId = deriveId(request.command.id, 'credential')
      await passwords.store(credentialId, password)
      const asked = { credentialId: insteadOf, emailChangeId }
      const outcome = await accounts.users(
        userId,
        { type: 'ResetPassword', data: { credentialId, asked, isByMail: delivery === 'mail' } },
        context,
      )
      await passwords.forget(outcome.ok ? insteadOf : credentialId)
      return outcome.ok ? complete() : undefined
    },
  }
}
