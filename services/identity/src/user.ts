import type { EventOf } from '@prosa/contracts/events/all-events'
import type { userEvents } from '@prosa/contracts/events/identity'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { ErasureReason } from '@prosa/contracts/values/erasure-reason'
import type { Role } from '@prosa/contracts/values/role'
import type { Decider } from '@prosa/kernel/domain/decider'

/** The password and the address that an account had when a link to set a new password was asked for. */
export interface AccountThen {
  credentialId: string
  emailChangeId: string | null
}

export type UserCommand =
  | { type: 'RegisterUser'; data: { firstName: string; lastName: string; email: string; credentialId: string } }
  /** With the password that was checked just now. */
  | { type: 'LogIn'; data: { credentialId: string } }
  | { type: 'LogOut'; data: Record<never, never> }
  | { type: 'SaveProfile'; data: { firstName: string; lastName: string; email: string; changeId: string } }
  | { type: 'ChangePassword'; data: { credentialId: string; insteadOf: string } }
  | { type: 'ResetPassword'; data: { credentialId: string; asked: AccountThen; isByMail: boolean } }
  | { type: 'RequestEmailConfirmation'; data: { requestId: string; delivery: 'mail' | 'reply' } }
  /** With a link that names the change by which the account came to the address; `isSignedIn`: where the user is, too. */
  | { type: 'ConfirmEmail'; data: { emailChangeId: string | null; isSignedIn: boolean } }
  /** What an administrator sets right; what is not there stays as it is. */
  | { type: 'CorrectUser'; data: Correction }
  /** With a picture whose files are in the storage. */
  | { type: 'ChangePhoto'; data: { photoId: string } }
  | { type: 'RemovePhoto'; data: Record<never, never> }
  /** The roles that the user shall have, all of them. */
  | { type: 'SettleRoles'; data: { roles: readonly Role[] } }
  | { type: 'EraseUser'; data: { why?: ErasureReason | undefined } }

export interface Correction {
  firstName?: string | undefined
  lastName?: string | undefined
  email?: string | undefined
  changeId: string
  /** Names the hash of a password that has to be changed at the next sign-in. */
  credentialId?: string | undefined
}

export type UserEvent = EventOf<typeof userEvents>

export interface User {
  /** Names the hash of the password that is valid now; null while nobody is registered. */
  credentialId: string | null
  /** How many times `credentialId` became another one. */
  credentialEpoch: number
  firstName: string
  lastName: string
  email: string
  /** The change by which the user came to the address; null while it is the one of the registration. */
  emailChangeId: string | null
  isEmailConfirmed: boolean
  /** Whoever proved to read the mail of the address proved to have the password, too. */
  isHolderConfirmed: boolean
  /** The last link to confirm the address that the user asked for. */
  confirmationRequestId: string | null
  /** An administrator set the password: it is good for setting another one. */
  mustChangePassword: boolean
  /** Names the files of the account's picture; null where it has none. */
  photoId: string | null
  roles: readonly Role[]
  /** Everything about the person is gone; the account is never opened again. */
  isErased: boolean
}

type Refusal =
  | 'email_taken'
  | 'wrong_credentials'
  | 'wrong_current_password'
  | 'reset_link_invalid'
  | 'confirmation_link_invalid'
  | 'user_not_found'

const nobody: User = {
  credentialId: null,
  credentialEpoch: 0,
  firstName: '',
  lastName: '',
  email: '',
  emailChangeId: null,
  isEmailConfirmed: false,
  isHolderConfirmed: false,
  confirmationRequestId: null,
  mustChangePassword: false,
  photoId: null,
  roles: [],
  isErased: false,
}

type Profile = Pick<User, 'firstName' | 'lastName' | 'email'>

/** What leads from the profile that the account has to another one. */
const changesOf = (held: User, { firstName, lastName, email }: Profile, changeId: string): UserEvent[] => {
  const isRenamed = firstName !== held.firstName || lastName !== held.lastName
  const formerly = { formerEmail: held.email, formerChangeId: held.emailChangeId }
  return [
    ...(isRenamed ? [{ type: 'UserRenamed' as const, data: { firstName, lastName } }] : []),
    ...(email === held.email ? [] : [{ type: 'EmailChanged' as const, data: { email, changeId, ...formerly } }]),
  ]
}

/** One account. */
export const user: Decider<UserCommand, UserEvent, User, Refusal> = {
  initial: nobody,
  saving: { decider: 'user', version: 3, subject: ({ id }) => userSubject(id) },
  decide: {
    RegisterUser: ({ credentialId, isErased }, data) => {
      if (credentialId === data.credentialId) return []
      // The address of an erased account is about to be free.
      if (credentialId || isErased) return { rejected: 'email_taken' }
      return [{ type: 'UserRegistered', data }]
    },
    LogIn: (held, { credentialId }) => {
      if (held.credentialId !== credentialId) return { rejected: 'wrong_credentials' }
      return [{ type: 'UserLoggedIn', data: {} }]
    },
    LogOut: ({ credentialId }) => (credentialId ? [{ type: 'UserLoggedOut', data: {} }] : []),
    SaveProfile: (held, { changeId, ...profile }) =>
      held.credentialId ? changesOf(held, profile, changeId) : { rejected: 'wrong_credentials' },
    CorrectUser: (held, { changeId, credentialId, ...given }) => {
      if (!held.credentialId) return { rejected: 'user_not_found' }
      const { firstName = held.firstName, lastName = held.lastName, email = held.email } = given
      const isSet = credentialId === undefined || credentialId === held.credentialId
      return [
        ...changesOf(held, { firstName, lastName, email }, changeId),
        ...(isSet ? [] : [{ type: 'TemporaryPasswordSet' as const, data: { credentialId } }]),
      ]
    },
    ChangePassword: (held, { credentialId, insteadOf }) => {
      if (held.credentialId === credentialId) return []
      if (held.credentialId !== insteadOf) return { rejected: 'wrong_current_password' }
      return [{ type: 'PasswordChanged', data: { credentialId } }]
    },
    ResetPassword: (held, { credentialId, asked, isByMail }) => {
      if (held.credentialId === credentialId) return []
      if (held.credentialId !== asked.credentialId || held.emailChangeId !== asked.emailChangeId)
        return { rejected: 'reset_link_invalid' }
      const changed: UserEvent = { type: 'PasswordChanged', data: { credentialId } }
      return isByMail && !held.isHolderConfirmed ? [changed, { type: 'EmailConfirmed', data: {} }] : [changed]
    },
    RequestEmailConfirmation: (held, { requestId, delivery }) => {
      if (!held.credentialId) return { rejected: 'wrong_credentials' }
      if (held.isEmailConfirmed || held.confirmationRequestId === requestId) return []
      const { emailChangeId } = held
      return [{ type: 'EmailConfirmationRequested', data: { requestId, emailChangeId, delivery } }]
    },
    ConfirmEmail: (held, { emailChangeId, isSignedIn }) => {
      if (!held.credentialId || held.emailChangeId !== emailChangeId) return { rejected: 'confirmation_link_invalid' }
      if (held.isHolderConfirmed || (held.isEmailConfirmed && !isSignedIn)) return []
      return [{ type: 'EmailConfirmed', data: isSignedIn ? {} : { elsewhere: true } }]
    },
    ChangePhoto: (held, { photoId }) => {
      if (!held.credentialId) return { rejected: 'user_not_found' }
      if (held.photoId === photoId) return []
      return [{ type: 'ProfilePhotoChanged', data: { photoId, formerPhotoId: held.photoId } }]
    },
    RemovePhoto: ({ photoId }) => (photoId ? [{ type: 'ProfilePhotoRemoved', data: { photoId } }] : []),
    SettleRoles: ({ credentialId, roles: held }, { roles }) => {
      if (!credentialId) return []
      const granted = roles.filter((role) => !held.includes(role))
      const revoked = held.filter((role) => !roles.includes(role))
      return [
        ...granted.map((role) => ({ type: 'RoleGranted' as const, data: { role } })),
        ...revoked.map((role) => ({ type: 'RoleRevoked' as const, data: { role } })),
      ]
    },
    EraseUser: ({ credentialId }, { why }) =>
      credentialId ? [{ type: 'UserErased', data: why === undefined ? {} : { why } }] : [],
  },
  evolve: {
    UserRegistered: (state, data) => ({ ...state, ...data, credentialEpoch: state.credentialEpoch + 1 }),
    UserLoggedIn: (state) => state,
    UserLoggedOut: (state) => state,
    UserRenamed: (state, { firstName, lastName }) => ({ ...state, firstName, lastName }),
    EmailChanged: (state, { email, changeId }) => ({
      ...state,
      email,
      emailChangeId: changeId,
      isEmailConfirmed: false,
      isHolderConfirmed: false,
    }),
    EmailConfirmationRequested: (state, { requestId }) => ({ ...state, confirmationRequestId: requestId }),
    EmailConfirmed: (state, { elsewhere }) => ({
      ...state,
      isEmailConfirmed: true,
      isHolderConfirmed: state.isHolderConfirmed || !elsewhere,
    }),
    UserErased: ({ credentialEpoch }) => ({ ...nobody, credentialEpoch: credentialEpoch + 1, isErased: true }),
    PasswordChanged: (state, { credentialId }) => ({
      ...state,
      credentialId,
      credentialEpoch: state.credentialEpoch + 1,
      mustChangePassword: false,
    }),
    TemporaryPasswordSet: (state, { credentialId }) => ({
      ...state,
      credentialId,
      credentialEpoch: state.credentialEpoch + 1,
      mustChangePassword: true,
    }),
    ProfilePhotoChanged: (state, { photoId }) => ({ ...state, photoId }),
    ProfilePhotoRemoved: (state) => ({ ...state, photoId: null }),
    RoleGranted: (state, { role }) => ({ ...state, roles: [...state.roles, role] }),
    RoleRevoked: (state, { role }) => ({ ...state, roles: state.roles.filter((held) => held !== role) }),
  },
}
