import type { EventOf } from '@prosa/contracts/events/all-events'
import type { userEvents } from '@prosa/contracts/events/identity'
import { userSubject } from '@prosa/contracts/events/subjects'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Role } from '@prosa/contracts/values/role'
import type { TermsVersion } from '@prosa/contracts/values/terms'
import type { Decider } from '@prosa/kernel/domain/decider'
import type { AddressTerms, UserCommand } from './user-command.ts'

export type UserEvent = EventOf<typeof userEvents>

export interface User {
  /** Id of the current hash; null before registration. */
  credentialId: string | null
  /** Number of changes of `credentialId`. */
  credentialEpoch: number
  firstName: string
  lastName: string
  email: string
  /** Null for the registration's address. */
  emailChangeId: string | null
  isEmailConfirmed: boolean
  /** Someone with the password confirmed the address. */
  isHolderConfirmed: boolean
  /** Sending stops then unless confirmed; null if not demanded. */
  confirmBy: Instant | null
  confirmationRequestId: string | null
  /** An administrator set the password, which only allows changing it. */
  mustChangePassword: boolean
  photoId: string | null
  /** The latest; null: none, as before there were any. */
  acceptedTerms: TermsVersion | null
  roles: readonly Role[]
  /** Those that an administrator gave. */
  givenRoles: readonly Role[]
  isErased: boolean
}

type Refusal =
  | 'email_taken'
  | 'wrong_credentials'
  | 'wrong_current_password'
  | 'reset_link_invalid'
  | 'confirmation_link_invalid'
  | 'user_not_found'
  | 'address_not_proved'
  | 'role_is_configured'

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
  acceptedTerms: null,
  roles: [],
  givenRoles: [],
  isErased: false,
}

type Profile = Pick<User, 'firstName' | 'lastName' | 'email'>

const demanded = (until: Instant | undefined): UserEvent[] =>
  until === undefined ? [] : [{ type: 'EmailConfirmationDemanded', data: { until } }]

const accepted = (version: TermsVersion | undefined): UserEvent[] =>
  version === undefined ? [] : [{ type: 'TermsAccepted', data: { version } }]

const withTrialUsed = ({ isTrialUsed }: AddressTerms) => (isTrialUsed ? { isTrialUsed } : {})

/** Moving does not extend the deadline. */
const deadlineAfterMove = ({ isEmailConfirmed, confirmBy }: User, terms: AddressTerms): Instant | undefined =>
  terms.confirmBy === undefined || isEmailConfirmed ? terms.confirmBy : (confirmBy ?? terms.confirmBy)

const changesOf = (state: User, profile: Profile, changeId: string, terms: AddressTerms): UserEvent[] => {
  const { firstName, lastName, email } = profile
  const isRenamed = firstName !== state.firstName || lastName !== state.lastName
  const renamed: UserEvent[] = isRenamed ? [{ type: 'UserRenamed', data: { firstName, lastName } }] : []
  if (email === state.email) return renamed
  const formerly = { formerEmail: state.email, formerChangeId: state.emailChangeId }
  const moved = { email, changeId, ...formerly, ...withTrialUsed(terms) }
  return [...renamed, { type: 'EmailChanged', data: moved }, ...demanded(deadlineAfterMove(state, terms))]
}

export const user: Decider<UserCommand, UserEvent, User, Refusal> = {
  initial: nobody,
  saving: { decider: 'user', version: 6, subject: ({ id }) => userSubject(id) },
  decide: {
    RegisterUser: ({ credentialId, isErased }, { isTrialUsed, confirmBy, acceptedTerms, ...data }) => {
      if (credentialId === data.credentialId) return []
      // An erased account's address is about to be released.
      if (credentialId || isErased) return { rejected: 'email_taken' }
      const registered = { ...data, ...withTrialUsed({ isTrialUsed }) }
      return [{ type: 'UserRegistered', data: registered }, ...accepted(acceptedTerms), ...demanded(confirmBy)]
    },
    AcceptTerms: ({ credentialId, acceptedTerms }, { version }) => {
      if (!credentialId) return { rejected: 'wrong_credentials' }
      return acceptedTerms !== null && acceptedTerms >= version ? [] : accepted(version)
    },
    LogIn: (state, { credentialId }) => {
      if (state.credentialId !== credentialId) return { rejected: 'wrong_credentials' }
      return [{ type: 'UserLoggedIn', data: {} }]
    },
    LogOut: ({ credentialId }) => (credentialId ? [{ type: 'UserLoggedOut', data: {} }] : []),
    SaveProfile: (state, { changeId, isTrialUsed, confirmBy, ...profile }) =>
      state.credentialId
        ? changesOf(state, profile, changeId, { isTrialUsed, confirmBy })
        : { rejected: 'wrong_credentials' },
    CorrectUser: (state, { changeId, credentialId, isTrialUsed, confirmBy, ...given }) => {
      if (!state.credentialId) return { rejected: 'user_not_found' }
      const { firstName = state.firstName, lastName = state.lastName, email = state.email } = given
      const isSet = credentialId === undefined || credentialId === state.credentialId
      return [
        ...changesOf(state, { firstName, lastName, email }, changeId, { isTrialUsed, confirmBy }),
        ...(isSet ? [] : [{ type: 'TemporaryPasswordSet' as const, data: { credentialId } }]),
      ]
    },
    ChangePassword: (state, { credentialId, insteadOf }) => {
      if (state.credentialId === credentialId) return []
      if (state.credentialId !== insteadOf) return { rejected: 'wrong_current_password' }
      return [{ type: 'PasswordChanged', data: { credentialId } }]
    },
    ResetPassword: (state, { credentialId, asked, isByMail }) => {
      if (state.credentialId === credentialId) return []
      if (state.credentialId !== asked.credentialId || state.emailChangeId !== asked.emailChangeId)
        return { rejected: 'reset_link_invalid' }
      const changed: UserEvent = { type: 'PasswordChanged', data: { credentialId } }
      return isByMail && !state.isHolderConfirmed ? [changed, { type: 'EmailConfirmed', data: {} }] : [changed]
    },
    DemandEmailConfirmation: ({ credentialId, isEmailConfirmed, confirmBy }, { until }) =>
      !credentialId || isEmailConfirmed || confirmBy !== null ? [] : demanded(until),
    RequestEmailConfirmation: (state, { requestId, delivery }) => {
      if (!state.credentialId) return { rejected: 'wrong_credentials' }
      if (state.isEmailConfirmed || state.confirmationRequestId === requestId) return []
      const { emailChangeId } = state
      return [{ type: 'EmailConfirmationRequested', data: { requestId, emailChangeId, delivery } }]
    },
    ConfirmEmail: (state, { emailChangeId, isSignedIn }) => {
      if (!state.credentialId || state.emailChangeId !== emailChangeId) return { rejected: 'confirmation_link_invalid' }
      if (state.isHolderConfirmed || (state.isEmailConfirmed && !isSignedIn)) return []
      return [{ type: 'EmailConfirmed', data: isSignedIn ? {} : { elsewhere: true } }]
    },
    ChangePhoto: (state, { photoId }) => {
      if (!state.credentialId) return { rejected: 'user_not_found' }
      if (state.photoId === photoId) return []
      return [{ type: 'ProfilePhotoChanged', data: { photoId, formerPhotoId: state.photoId } }]
    },
    RemovePhoto: ({ photoId }) => (photoId ? [{ type: 'ProfilePhotoRemoved', data: { photoId } }] : []),
    SetAnalyst: ({ credentialId, roles, givenRoles, isHolderConfirmed }, { isAnalyst, mustBeConfirmed }) => {
      const role = 'analyst'
      if (!credentialId) return { rejected: 'user_not_found' }
      if (roles.includes(role) === isAnalyst) return []
      if (!isAnalyst)
        return givenRoles.includes(role)
          ? [{ type: 'RoleRevoked', data: { role } }]
          : { rejected: 'role_is_configured' }
      if (mustBeConfirmed && !isHolderConfirmed) return { rejected: 'address_not_proved' }
      return [{ type: 'RoleGranted', data: { role, byAdministrator: true } }]
    },
    SettleRoles: ({ credentialId, roles: current, givenRoles }, { roles }) => {
      if (!credentialId) return []
      const granted = roles.filter((role) => !current.includes(role))
      const revoked = current.filter((role) => !roles.includes(role) && !givenRoles.includes(role))
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
    TermsAccepted: (state, { version }) => ({ ...state, acceptedTerms: version }),
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
    RoleGranted: (state, { role, byAdministrator }) => ({
      ...state,
      roles: [...state.roles, role],
      givenRoles: byAdministrator ? [...state.givenRoles, role] : state.givenRoles,
    }),
    RoleRevoked: (state, { role }) => ({
      ...state,
      roles: state.roles.filter((each) => each !== role),
      givenRoles: state.givenRoles.filter((each) => each !== role),
    }),
  },
}
