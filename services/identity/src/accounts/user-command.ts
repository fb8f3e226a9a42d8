import type { ErasureReason } from '@prosa/contracts/values/erasure-reason'
import type { Instant } from '@prosa/contracts/values/instant'
import type { Role } from '@prosa/contracts/values/role'
import type { TermsVersion } from '@prosa/contracts/values/terms'

/** State at the request of a reset link. */
export interface AccountThen {
  credentialId: string
  emailChangeId: string | null
}

export interface AddressTerms {
  /** The trial was used with another account. */
  isTrialUsed?: true | undefined
  /** Undefined if it need not be confirmed. */
  confirmBy?: Instant | undefined
}

export type UserCommand =
  | {
      type: 'RegisterUser'
      data: {
        firstName: string
        lastName: string
        email: string
        credentialId: string
        /** Accepted while registering. */
        acceptedTerms?: TermsVersion | undefined
      } & AddressTerms
    }
  | { type: 'AcceptTerms'; data: { version: TermsVersion } }
  /** The password that was just verified. */
  | { type: 'LogIn'; data: { credentialId: string } }
  | { type: 'LogOut'; data: Record<never, never> }
  | {
      type: 'SaveProfile'
      data: { firstName: string; lastName: string; email: string; changeId: string } & AddressTerms
    }
  | { type: 'ChangePassword'; data: { credentialId: string; insteadOf: string } }
  | { type: 'ResetPassword'; data: { credentialId: string; asked: AccountThen; isByMail: boolean } }
  /** For accounts older than the rule. */
  | { type: 'DemandEmailConfirmation'; data: { until: Instant } }
  | { type: 'RequestEmailConfirmation'; data: { requestId: string; delivery: 'mail' | 'reply' } }
  /** `isSignedIn`: in a session of the user. */
  | { type: 'ConfirmEmail'; data: { emailChangeId: string | null; isSignedIn: boolean } }
  /** By an administrator; omitted fields do not change. */
  | { type: 'CorrectUser'; data: Correction }
  | { type: 'ChangePhoto'; data: { photoId: string } }
  | { type: 'RemovePhoto'; data: Record<never, never> }
  /** By an administrator. `mustBeConfirmed`: only who proved the address by a mailed link becomes one. */
  | { type: 'SetAnalyst'; data: { isAnalyst: boolean; mustBeConfirmed: boolean } }
  /** All roles that the configuration gives; it takes away only what it gave. */
  | { type: 'SettleRoles'; data: { roles: readonly Role[] } }
  | { type: 'EraseUser'; data: { why?: ErasureReason | undefined } }

export interface Correction extends AddressTerms {
  firstName?: string | undefined
  lastName?: string | undefined
  email?: string | undefined
  changeId: string
  /** Must be changed at the next sign-in. */
  credentialId?: string | undefined
}
