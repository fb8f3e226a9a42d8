import type { EventOf } from '@prosa/contracts/events/all-events'
import type { userEvents } from '@prosa/contracts/events/identity'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { ErasureReason } from '@prosa/contracts/values/erasure-reason'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Role } from '@prosa/contracts/values/role'
import type { Decider } from '@prosa/kernel/domain/decider'

/** The password and the address that an account had when a link to set a new password was asked for. */
export interface AccountThen {
  credentialId: string
  emailChangeId: string | null
}

/** What goes with an address that an account comes to. */
export interface AddressTerms {
  /** It had its free period with another account. */
  isTrialUsed?: true | undefined
  /** Until when it has to be confirmed; undefined where it need not be. */
  confirmBy?: Instant | undefined
}

export type UserCommand =
  | {
      type: 'RegisterUser'
      data: { firstName: string; lastName: string; email: string; credentialId: string } & AddressTerms
    }
  /** With the password that was checked just now. */
  | { type: 'LogIn'; data: { credentialId: string } }
  | { type: 'LogOut'; data: Record<never, never> }
  | {
      type: 'SaveProfile'
      data: { firstName: string; lastName: string; email: string; changeId: string } & AddressTerms
    }
  | { type: 'ChangePassword'; data: { credentialId: string; insteadOf: string } }
  | { type: 'ResetPassword'; data: { credentialId: string; asked: AccountThen; isByMail: boolean } }
  /** Of an account that was there before the rule. */
  | { type: 'DemandEmailConfirmation'; data: { until: Instant } }
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

export interface Correction extends AddressTerms {
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
  /** Nothing is sent after this unless the address is confirmed; null while that was not demanded. */
  confirmBy: Instant | null
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
  confirmBy: null,
  confirmationRequestId: null,
  mustChangePassword: false,
  photoId: null,
  roles: [],
  isErased: false,
}

type Profile = Pick<User, 'firstName' | 'lastName' | 'email'>

const demanded = (until: Instant | undefined): UserEvent[] =>
  until === undefined ? [] : [{ type: 'EmailConfirmationDemanded', data: { until } }]

const withTrialUsed = ({ isTrialUsed }: AddressTerms) => (isTrialUsed ? { isTrialUsed } : {})

/** Whoever has not confirmed the address before gets no more time by moving on. */
const deadlineAfterMove = ({ isEmailConfirmed, confirmBy }: User, terms: AddressTerms): Instant | undefined =>
  terms.confirmBy === undefined || isEmailConfirmed ? terms.confirmBy : (confirmBy ?? terms.confirmBy)

/** What leads from the profile that the account has to another one. */
const changesOf = (held: User, profile: Profile, changeId: string, terms: AddressTerms): UserEvent[] => {
  const { firstName, lastName, email } = profile
  const isRenamed = firstName !== held.firstName || lastName !== held.lastName
  const renamed: UserEvent[] = isRenamed ? [{ type: 'UserRenamed', data: { firstName, lastName } }] : []
  if (email === held.email) return renamed
  const formerly = { formerEmail: held.email, formerChangeId: held.emailChangeId }
  const moved = { email, changeId, ...formerly, ...withTrialUsed(terms) }
  return [...renamed, { type: 'EmailChanged', data: moved }, ...demanded(deadlineAfterMove(held, terms))]
}

/** One account. */
export const user: Decider<UserCommand, UserEvent, User, Refusal> = {
  initial: nobody,
  saving: { decider: 'user', version: 4, subject: ({ id }) => userSubject(id) },
  decide: {
    RegisterUser: ({ credentialId, isErased }, { isTrialUsed, confirmBy, ...data }) => {
      if (credentialId === data.credentialId) return []
      // The address of an erased account is about to be free.
      if (credentialId || isErased) return { rejected: 'email_taken' }
      return [{ type: 'UserRegistered', data: { ...data, ...withTrialUsed({ isTrialUsed }) } }, ...demanded(confirmBy)]
    },
    LogIn: (held, { credentialId }) => {
      if (held.credentialId !== credentialId) return { rejected: 'wrong_credentials' }
      return [{ type: 'UserLoggedIn', data: {} }]
    },
    LogOut: ({ credentialId }) => (credentialId ? [{ type: 'UserLoggedOut', data: {} }] : []),
    SaveProfile: (held, { changeId, isTrialUsed, confirmBy, ...profile }) =>
      held.credentialId
        ? changesOf(held, profile, changeId, { isTrialUsed, confirmBy })
        : { rejected: 'wrong_credentials' },
    CorrectUser: (held, { changeId, credentialId, isTrialUsed, confirmBy, ...given }) => {
      if (!held.credentialId) return { rejected: 'user_not_found' }
      const { firstName = held.firstName, lastName = held.lastName, email = held.email } = given
      const isSet = credentialId === undefined || credentialId === held.credentialId
      return [
        ...changesOf(held, { firstName, lastName, email }, changeId, { isTrialUsed, confirmBy }),
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
    DemandEmailConfirmation: ({ credentialId, isEmailConfirmed, confirmBy }, { until }) =>
      !credentialId || isEmailConfirmed || confirmBy !== null ? [] : demanded(until),
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
    UserRegistered: (state, { isTrialUsed: _, ...data }) => ({
      ...state,
      ...data,
      credentialEpoch: state.credentialEpoch + 1,
    }),
    UserLoggedIn: (state) => state,
    UserLoggedOut: (state) => state,
    UserRenamed: (state, { firstName, lastName }) => ({ ...state, firstName, lastName }),
    EmailChanged: (state, { email, changeId }) => ({
      ...state,
      email,
      emailChangeId: changeId,
      isEmailConfirmed: false,
      isHolderConfirmed: false,
      confirmBy: null,
    }),
    EmailConfirmationDemanded: (state, { until }) => ({ ...state, confirmBy: until }),
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
