import { z } from 'zod'
import { erasureReasons } from '../values/erasure-reason.ts'
import { id, userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { erasedEmail, erasedText, personal } from '../values/personal.ts'
import { role } from '../values/role.ts'
import { supportPriorities } from '../values/support.ts'

const personName = personal(z.string(), erasedText)
const personalEmail = personal(z.email(), erasedEmail)

/** The address had its free period with another account before; absent in events before 2026-11-25, when each account had one. */
const isTrialUsed = z.literal(true).optional()

/** By mail or, outside production only, in the reply. */
const linkDelivery = z.enum(['mail', 'reply'])

/** The stream `emailClaim-<hmac of the address>`: whose it is. */
export const emailClaimEvents = {
  /**
   * An e-mail address was taken for one account, before the account itself shows it. `changeId` names the change of address
   * for which it was taken; there is none where it was a registration.
   */
  EmailClaimed: z.object({ userId, changeId: id.optional() }),
  /** The account that held the address has moved to another, or was erased: it may be taken again. */
  EmailReleased: z.object({ userId }),
}

/** The stream `passwordReset-<userId>`: the links that let somebody set a new password. The last one asked for counts. */
export const passwordResetEvents = {
  /**
   * Somebody asked for a link to set a new password. It holds until `expiresAt`, while the account has this password and this
   * address; `delivery`: whether it went out by mail or, outside production only, in the reply.
   */
  PasswordResetRequested: z.object({
    resetId: id,
    credentialId: id,
    emailChangeId: id.nullable(),
    delivery: linkDelivery,
    expiresAt: instant,
  }),
  /** The link was used: the account has the password that was set with it. */
  PasswordResetCompleted: z.object({ resetId: id }),
}

/** The stream `user-<id>`. */
export const userEvents = {
  /** A visitor opened an account. `credentialId` names the password's hash, which is a secret and kept outside the log. */
  UserRegistered: z.object({
    firstName: personName,
    lastName: personName,
    email: personalEmail,
    credentialId: id,
    isTrialUsed,
  }),
  /** A person proved to be the user and got a browser session. */
  UserLoggedIn: z.object({}),
  /** The user ended the browser session. */
  UserLoggedOut: z.object({}),
  /** The user corrected the name. */
  UserRenamed: z.object({ firstName: personName, lastName: personName }),
  /** The user moved to another e-mail address, which was claimed for `changeId` before; the former one is given up. */
  EmailChanged: z.object({
    email: personalEmail,
    changeId: id,
    formerEmail: personalEmail,
    formerChangeId: id.nullable(),
    isTrialUsed,
  }),
  /** The account has to confirm its address: after `until` it sends nothing before that. */
  EmailConfirmationDemanded: z.object({ until: instant }),
  /** The user asked for a link that confirms the address to which the account came by `emailChangeId` (null: by registration). */
  EmailConfirmationRequested: z.object({ requestId: id, emailChangeId: id.nullable(), delivery: linkDelivery }),
  /**
   * Somebody used a link that was sent to the account's address, and so reads its mail. `elsewhere`: where the user was not signed
   * in, so that it is not known whether that is who has the password.
   */
  EmailConfirmed: z.object({ elsewhere: z.literal(true).optional() }),
  /** The user set another password; `credentialId` names its hash. The old one and all other browser sessions ended. */
  PasswordChanged: z.object({ credentialId: id }),
  /** An administrator set a password, which ended all browser sessions: it signs in, and has to be changed before anything else. */
  TemporaryPasswordSet: z.object({ credentialId: id }),
  /** The user set a picture; `formerPhotoId` names the one before it, whose files are deleted. */
  ProfilePhotoChanged: z.object({ photoId: id, formerPhotoId: id.nullable() }),
  /** The user took the picture away; its files are deleted. */
  ProfilePhotoRemoved: z.object({ photoId: id }),
  /** The account and everything personal in it was erased: this is the proof, the keys are destroyed after it. */
  UserErased: z.object({
    /** Where the user did it, who was asked why; the reason of an administrator is in the metadata. */
    why: z.enum(erasureReasons).optional(),
  }),
  /** The user got rights beyond an own account. */
  RoleGranted: z.object({ role }),
  /** Those rights were taken away. */
  RoleRevoked: z.object({ role }),
}

/** The stream `company-<userId>`: the business of an account. */
export const companyEvents = {
  /** The user wrote down how the business is called and where it is found, all of it at once; '' is what is not known. */
  CompanyDescribed: z.object({
    name: personal(z.string(), erasedText),
    email: personal(z.string(), ''),
    phone: personal(z.string(), ''),
    website: personal(z.string(), ''),
    address: personal(z.string(), ''),
  }),
  /** The user chose whether browsers notify by default, and whether the dashboard shows statistics. */
  CompanyChoicesMade: z.object({ notifications: z.boolean(), analytics: z.boolean() }),
}

/** The stream `supportRequest-<id>`. */
export const supportRequestEvents = {
  /** A subscriber wrote to the people who help with Prosa. */
  SupportRequested: z.object({
    subject: personal(z.string(), erasedText),
    message: personal(z.string(), erasedText),
    priority: z.enum(supportPriorities),
  }),
  /** An administrator marked the request as answered; the answer itself went out by other means. */
  SupportRequestAnswered: z.object({}),
}

export const identityEvents = {
  ...emailClaimEvents,
  ...passwordResetEvents,
  ...userEvents,
  ...companyEvents,
  ...supportRequestEvents,
}
