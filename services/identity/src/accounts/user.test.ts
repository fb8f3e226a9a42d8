import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type UserEvent, user } from './user.ts'

const [old, next, change] = [
  '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11',
  'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33',
  '0d5b2f37-8f0e-4d0a-b5f7-1f6c1f3f9c55',
] as const
const person = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.com' }
const registered: UserEvent = { type: 'UserRegistered', data: { ...person, credentialId: old } }
const moved: UserEvent = {
  type: 'EmailChanged',
  data: { email: 'ana@lima.com', changeId: change, formerEmail: person.email, formerChangeId: null },
}
const changed: UserEvent = { type: 'PasswordChanged', data: { credentialId: next } }
const confirmed: UserEvent = { type: 'EmailConfirmed', data: {} }
const granted = (role: 'admin' | 'analyst'): UserEvent => ({ type: 'RoleGranted', data: { role } })
const revoked = (role: 'admin' | 'analyst'): UserEvent => ({ type: 'RoleRevoked', data: { role } })

const save = (data: Partial<typeof person>) =>
  ({ type: 'SaveProfile', data: { ...person, ...data, changeId: change } }) as const
const changePassword = { type: 'ChangePassword', data: { credentialId: next, insteadOf: old } } as const
const reset = (isByMail: boolean) =>
  ({
    type: 'ResetPassword',
    data: { credentialId: next, asked: { credentialId: old, emailChangeId: null }, isByMail },
  }) as const
const settle = (...roles: ('admin' | 'analyst')[]) => ({ type: 'SettleRoles', data: { roles } }) as const

const given = specify(user)

describe('a profile', () => {
  it('records only what is new', () => {
    given(registered)
      .when(save({ firstName: 'Ana Maria' }))
      .then({ type: 'UserRenamed', data: { firstName: 'Ana Maria', lastName: 'Souza' } })
    given(registered)
      .when(save({ email: 'ana@lima.com' }))
      .then(moved)
  })
  it('is saved once, however often the button is pressed', () => {
    given(registered).when(save({})).thenNothing()
    given(registered, moved)
      .when(save({ email: 'ana@lima.com' }))
      .thenNothing()
  })
})

describe('a registration', () => {
  const register = (credentialId: string) => ({ type: 'RegisterUser', data: { ...person, credentialId } }) as const
  it('is stored once, however often it is sent', () => {
    given().when(register(old)).then(registered)
    given(registered).when(register(old)).thenNothing()
  })
  it('is refused where the account has another password by now, or is somebody else’s', () => {
    given(registered, changed).when(register(old)).thenRejected('email_taken')
    given(registered).when(register(next)).thenRejected('email_taken')
  })
})

describe('terms of use', () => {
  const accepted = (version: string): UserEvent => ({ type: 'TermsAccepted', data: { version } })
  const accept = (version: string) => ({ type: 'AcceptTerms', data: { version } }) as const
  it('are accepted with the registration', () =>
    given()
      .when({ type: 'RegisterUser', data: { ...person, credentialId: old, acceptedTerms: '2026-11-27' } })
      .then(registered, accepted('2026-11-27')))
  it('are accepted once by an account from before there were any', () => {
    given(registered).when(accept('2026-11-27')).then(accepted('2026-11-27'))
    given(registered, accepted('2026-11-27')).when(accept('2026-11-27')).thenNothing()
  })
  it('are accepted anew in a later version, and an earlier one takes nothing back', () => {
    given(registered, accepted('2026-11-27')).when(accept('2027-03-01')).then(accepted('2027-03-01'))
    given(registered, accepted('2027-03-01')).when(accept('2026-11-27')).thenNothing()
  })
  it('are accepted by nobody who was erased', () =>
    given(registered, { type: 'UserErased', data: {} }).when(accept('2026-11-27')).thenRejected('wrong_credentials'))
})

describe('a password', () => {
  it('takes the place of the one that was checked', () => given(registered).when(changePassword).then(changed))
  it('is changed once', () => given(registered, changed).when(changePassword).thenNothing())
  it('is not changed by somebody who knew the one before', () =>
    given(registered, { type: 'PasswordChanged', data: { credentialId: change } })
      .when(changePassword)
      .thenRejected('wrong_current_password'))
  it('lets nobody in who was checked against the one before', () =>
    given(registered, changed)
      .when({ type: 'LogIn', data: { credentialId: old } })
      .thenRejected('wrong_credentials'))
})

describe('a link to set a password', () => {
  it('that came by mail proves the address, once', () => {
    given(registered).when(reset(true)).then(changed, confirmed)
    given(registered, confirmed).when(reset(true)).then(changed)
  })
  it('that came in a reply proves nothing', () => given(registered).when(reset(false)).then(changed))
  it('is used once', () => given(registered, changed).when(reset(true)).thenNothing())
  it('ends with the password or the address it was asked for', () => {
    given(registered, { type: 'PasswordChanged', data: { credentialId: change } })
      .when(reset(true))
      .thenRejected('reset_link_invalid')
    given(registered, moved).when(reset(true)).thenRejected('reset_link_invalid')
  })
  it('proves the address it was sent to and none that follows', () =>
    given(registered, confirmed, moved)
      .when({
        type: 'ResetPassword',
        data: { credentialId: next, asked: { credentialId: old, emailChangeId: change }, isByMail: true },
      })
      .then(changed, confirmed))
})

describe('a link to confirm the address', () => {
  const confirm = (isSignedIn: boolean, emailChangeId: string | null = null) =>
    ({ type: 'ConfirmEmail', data: { emailChangeId, isSignedIn } }) as const
  const elsewhere: UserEvent = { type: 'EmailConfirmed', data: { elsewhere: true } }
  const ask = { type: 'RequestEmailConfirmation', data: { requestId: next, delivery: 'mail' } } as const
  const asked: UserEvent = {
    type: 'EmailConfirmationRequested',
    data: { requestId: next, emailChangeId: null, delivery: 'mail' },
  }

  it('confirms it once, and shows who did it where the user is not signed in', () => {
    given(registered).when(confirm(true)).then(confirmed)
    given(registered, confirmed).when(confirm(true)).thenNothing()
    given(registered, confirmed).when(confirm(false)).thenNothing()
    given(registered).when(confirm(false)).then(elsewhere)
    given(registered, elsewhere).when(confirm(false)).thenNothing()
    given(registered, elsewhere).when(confirm(true)).then(confirmed)
    given(registered, elsewhere).when(reset(true)).then(changed, confirmed)
  })
  it('confirms no other address than its own', () => {
    given(registered, moved).when(confirm(true)).thenRejected('confirmation_link_invalid')
    given(registered, moved).when(confirm(true, change)).then(confirmed)
    given(registered, confirmed, moved).when(confirm(true, change)).then(confirmed)
    given(registered, { type: 'UserErased', data: {} }).when(confirm(true)).thenRejected('confirmation_link_invalid')
  })
  it('is asked for once, and not where the address is confirmed', () => {
    given(registered).when(ask).then(asked)
    given(registered, asked).when(ask).thenNothing()
    given(registered, confirmed).when(ask).thenNothing()
  })
})

describe('what an administrator sets right', () => {
  const correct = (data: object) => ({ type: 'CorrectUser', data: { changeId: change, ...data } }) as const
  const temporary: UserEvent = { type: 'TemporaryPasswordSet', data: { credentialId: next } }

  it('is what was given, and nothing else', () => {
    given(registered).when(correct({})).thenNothing()
    given(registered)
      .when(correct({ lastName: 'Lima' }))
      .then({ type: 'UserRenamed', data: { firstName: 'Ana', lastName: 'Lima' } })
    given(registered)
      .when(correct({ email: 'ana@lima.com', credentialId: next }))
      .then(moved, temporary)
  })
  it('is set once', () =>
    given(registered, moved, temporary)
      .when(correct({ email: 'ana@lima.com', credentialId: next }))
      .thenNothing())
  it('ends with an account that is erased or never was', () => {
    given().when(correct({})).thenRejected('user_not_found')
    given(registered, { type: 'UserErased', data: {} }).when(correct({})).thenRejected('user_not_found')
  })
})

describe('a picture', () => {
  const set: UserEvent = { type: 'ProfilePhotoChanged', data: { photoId: next, formerPhotoId: null } }
  const removed: UserEvent = { type: 'ProfilePhotoRemoved', data: { photoId: next } }
  const show = (photoId: string) => ({ type: 'ChangePhoto', data: { photoId } }) as const
  const remove = { type: 'RemovePhoto', data: {} } as const

  it('is set, and names the one whose place it takes', () => {
    given(registered).when(show(next)).then(set)
    given(registered, set)
      .when(show(change))
      .then({ type: 'ProfilePhotoChanged', data: { photoId: change, formerPhotoId: next } })
  })
  it('is set once and removed once', () => {
    given(registered, set).when(show(next)).thenNothing()
    given(registered, set).when(remove).then(removed)
    given(registered, set, removed).when(remove).thenNothing()
  })
  it('is nobody’s without an account', () => {
    given().when(show(next)).thenRejected('user_not_found')
    given(registered, set, { type: 'UserErased', data: {} }).when(show(change)).thenRejected('user_not_found')
  })
})

describe('roles', () => {
  it('are granted and revoked until they are those that were asked for', () =>
    given(registered, granted('analyst')).when(settle('admin')).then(granted('admin'), revoked('analyst')))
  it('are granted once', () => given(registered, granted('admin')).when(settle('admin')).thenNothing())
  it('are not granted to nobody', () => given().when(settle('admin')).thenNothing())

  const byAdministrator = { type: 'RoleGranted', data: { role: 'analyst', byAdministrator: true } } as const
  const setAnalyst = (isAnalyst: boolean, mustBeConfirmed = false) =>
    ({ type: 'SetAnalyst', data: { isAnalyst, mustBeConfirmed } }) as const
  it('of an analyst come from an administrator too, once, and go again', () => {
    given(registered).when(setAnalyst(true)).then(byAdministrator)
    given(registered, byAdministrator).when(setAnalyst(true)).thenNothing()
    given(registered, byAdministrator).when(setAnalyst(false)).then(revoked('analyst'))
    given(registered).when(setAnalyst(false)).thenNothing()
  })
  it('that an administrator gave are not taken away by the configuration, until they are given back', () => {
    given(registered, byAdministrator).when(settle()).thenNothing()
    given(registered, byAdministrator, revoked('analyst'), granted('analyst')).when(settle()).then(revoked('analyst'))
  })
  it('of the configuration are not an administrator’s to take away', () =>
    given(registered, granted('analyst')).when(setAnalyst(false)).thenRejected('role_is_configured'))
  it('go to nobody who has not proved the address, where that counts, and to no account that is gone', () => {
    given(registered).when(setAnalyst(true, true)).thenRejected('address_not_proved')
    given(registered, confirmed).when(setAnalyst(true, true)).then(byAdministrator)
    given().when(setAnalyst(true)).thenRejected('user_not_found')
    given(registered, byAdministrator, { type: 'UserErased', data: {} })
      .when(setAnalyst(true))
      .thenRejected('user_not_found')
  })
})

describe('the confirmation of an address, where nothing is sent without it', () => {
  const [soon, late] = ['2026-11-28T12:00:00.000Z', '2026-12-09T12:00:00.000Z'] as const
  const demanded = (until: string): UserEvent => ({ type: 'EmailConfirmationDemanded', data: { until } })
  const demand = { type: 'DemandEmailConfirmation', data: { until: late } } as const
  const moveBy = (confirmBy: string) =>
    ({ type: 'SaveProfile', data: { ...person, email: 'ana@lima.com', changeId: change, confirmBy } }) as const

  it('is demanded with the registration', () =>
    given()
      .when({ type: 'RegisterUser', data: { ...person, credentialId: old, confirmBy: soon } })
      .then(registered, demanded(soon)))
  it('is demanded of an earlier account, once, and of nobody who confirmed', () => {
    given(registered).when(demand).then(demanded(late))
    given(registered, demanded(soon)).when(demand).thenNothing()
    given(registered, confirmed).when(demand).thenNothing()
    given().when(demand).thenNothing()
  })
  it('is demanded of the next address, in no more time than there was for one that was never confirmed', () => {
    given(registered, confirmed).when(moveBy(late)).then(moved, demanded(late))
    given(registered, demanded(soon)).when(moveBy(late)).then(moved, demanded(soon))
    given(registered).when(moveBy(late)).then(moved, demanded(late))
  })
})

it('an address that had its free period before is one at the registration, and when somebody moves there', () => {
  given()
    .when({ type: 'RegisterUser', data: { ...person, credentialId: old, isTrialUsed: true } })
    .then({ type: 'UserRegistered', data: { ...person, credentialId: old, isTrialUsed: true } })
  given(registered)
    .when({ type: 'SaveProfile', data: { ...person, email: 'ana@lima.com', changeId: change, isTrialUsed: true } })
    .then({ ...moved, data: { ...moved.data, isTrialUsed: true } } as UserEvent)
})
