import type { RegisterBody } from '@prosa/contracts/http/accounts/auth'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Passwords } from '../passwords/passwords.ts'
import type { Accounts } from './accounts.ts'
import { refuseAccount } from './refuse-account.ts'
import type { AddressTerms } from './user-command.ts'

export interface Opened {
  credentialId: string
  position: Position | null
}

/** Both refuse with `email_taken`. */
export interface AccountOpening {
  /** The credential derives from the command, so two attempts share one. */
  open(body: RegisterBody, userId: string, context: CommandContext, terms: AddressTerms): Promise<Opened>
  /** For an account that this command opened. Its address's holder may have set a password since: only the current one signs in. */
  prove(body: RegisterBody, userId: string, context: CommandContext): Promise<Opened>
}

export const accountOpening = (accounts: Accounts, passwords: Passwords): AccountOpening => ({
  async open({ password, ...person }, userId, context, terms) {
    const credentialId = deriveId(context.commandId, 'credential')
    await passwords.store(credentialId, password)
    const registered = await accounts.users(
      userId,
      { type: 'RegisterUser', data: { ...person, credentialId, ...terms } },
      context,
    )
    if (registered.ok) return { credentialId, position: registered.position }
    await passwords.forget(credentialId)
    throw refuseAccount(registered.rejected)
  },
  async prove({ email, password }, userId, context) {
    const before = context.repeated ? await accounts.users.earlier(userId, 'RegisterUser', context) : undefined
    const found = before && (await accounts.find(email))
    const isTheirs = found?.id === userId && (await passwords.matches(found.credentialId, password))
    if (!before?.ok || !isTheirs) throw refuseAccount('email_taken')
    return { credentialId: found.credentialId, position: before.position }
  },
})
