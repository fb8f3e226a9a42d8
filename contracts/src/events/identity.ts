import { z } from 'zod'
import { erasureReasons } from '../values/erasure-reason.ts'
import { id, userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { erasedEmail, erasedText, personal } from '../values/personal.ts'
import { role } from '../values/role.ts'
import { supportPriorities } from '../values/support.ts'
import { termsVersion } from '../values/terms.ts'

const personName = personal(z.string(), erasedText)
const personalEmail = personal(z.email(), erasedEmail)

/** Trial used by another account. Absent before 2026-11-25. */
const isTrialUsed = z.literal(true).optional()

/** `reply` only outside production. */
const linkDelivery = z.enum(['mail', 'reply'])

/** Stream `emailClaim-<hmac of the address>`. */
export const emailClaimEvents = {
  /** An address was reserved, before the account shows it. No `changeId`: a registration. */
  EmailClaimed: z.object({ userId, changeId: id.optional() }),
  /** The account left it or was erased: it is free again. */
  EmailReleased: z.object({ userId }),
}

/** Stream `passwordReset-<userId>`. Only the last link counts. */
export const passwordResetEvents = {
  /** A link was requested, valid until `expiresAt` or a change of password or address. */
  PasswordResetRequested: z.object({
    resetId: id,
    credentialId: id,
    emailChangeId: id.nullable(),
    delivery: linkDelivery,
    expiresAt: instant,
  }),
  /** The link was used. */
  PasswordResetCompleted: z.object({ resetId: id }),
}

/** Stream `user-<id>`. */
export const userEvents = {
  /** A visitor registered. `credentialId` names the password hash, a secret outside the log. */
  UserRegistered: z.object({
    firstName: personName,
    lastName: personName,
    email: personalEmail,
    credentialId: id,
    isTrialUsed,
  }),
  /** A person signed in. */
  UserLoggedIn: z.object({}),
  /** The user signed out. */
  UserLoggedOut: z.object({}),
  /** The user accepted the terms of use and the privacy policy of that day. */
  TermsAccepted: z.object({ version: termsVersion }),
  /** The user changed the name. */
  UserRenamed: z.object({ firstName: personName, lastName: personName }),
  /** The user changed the address, claimed for `changeId`; the former one is released. */
  EmailChanged: z.object({
    email: personalEmail,
    changeId: id,
    formerEmail: personalEmail,
    formerChangeId: id.nullable(),
    isTrialUsed,
  }),
  /** The address must be confirmed; without it nothing is sent after `until`. */
  EmailConfirmationDemanded: z.object({ until: instant }),
  /** The user requested a confirmation link; `emailChangeId` null: for the registration. */
  EmailConfirmationRequested: z.object({ requestId: id, emailChangeId: id.nullable(), delivery: linkDelivery }),
  /** A mailed link was used, which proves access to the mail. `elsewhere`: without being signed in there. */
  EmailConfirmed: z.object({ elsewhere: z.literal(true).optional() }),
  /** The user changed the password; other browser sessions ended. */
  PasswordChanged: z.object({ credentialId: id }),
  /** An administrator set a password, which ended all browser sessions and must be changed first. */
  TemporaryPasswordSet: z.object({ credentialId: id }),
  /** The user set a photo; files of `formerPhotoId` are deleted. */
  ProfilePhotoChanged: z.object({ photoId: id, formerPhotoId: id.nullable() }),
  /** The user removed it; its files are deleted. */
  ProfilePhotoRemoved: z.object({ photoId: id }),
  /** Personal data was erased; the keys are destroyed after this. */
  UserErased: z.object({
    /** By the user; an administrator's reason is in the metadata. */
    why: z.enum(erasureReasons).optional(),
  }),
  /** The user got a role, by the configuration or, where it has `byAdministrator`, from an administrator: then the configuration does not take it away. */
  RoleGranted: z.object({ role, byAdministrator: z.literal(true).optional() }),
  /** The role was revoked. */
  RoleRevoked: z.object({ role }),
}

/** Stream `company-<userId>`. */
export const companyEvents = {
  /** The user described it, all fields together; '' is unknown. */
  CompanyDescribed: z.object({
    name: personal(z.string(), erasedText),
    email: personal(z.string(), ''),
    phone: personal(z.string(), ''),
    website: personal(z.string(), ''),
    address: personal(z.string(), ''),
  }),
  /** The user chose defaults of notifications and statistics. */
  CompanyChoicesMade: z.object({ notifications: z.boolean(), analytics: z.boolean() }),
}

/** Stream `supportRequest-<id>`. */
export const supportRequestEvents = {
  /** A user wrote to support. */
  SupportRequested: z.object({
    subject: personal(z.string(), erasedText),
    message: personal(z.string(), erasedText),
    priority: z.enum(supportPriorities),
  }),
  /** An administrator marked it as answered, by other means. */
  SupportRequestAnswered: z.object({}),
}

export const identityEvents = {
  ...emailClaimEvents,
  ...passwordResetEvents,
  ...userEvents,
  ...companyEvents,
  ...supportRequestEvents,
}
