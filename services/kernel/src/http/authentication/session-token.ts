import { type Role, role } from '@prosa/contracts/values/role'
import { type CryptoKey, errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import type { Session } from './authenticator.ts'

/** From the gateway to a service; the gateway removes it from what comes in. */
export const sessionTokenHeader = 'x-prosa-session'

export const tokenSeconds = 60
const algorithm = 'EdDSA'
const issuer = 'prosa identity'
const audience = 'prosa services'
/** Between the clocks of machines. */
const clockSkewSeconds = 5
/** Ours have about 600 characters. */
const maxTokenLength = 4096

const uuid = z.uuid()
/** `tenant` is the subject: an account is its own tenant until there are members. */
const claims = z
  .object({
    sub: uuid,
    tenant: uuid,
    roles: z.array(role),
    sid: z.string().regex(/^[0-9a-f]{64}$/),
    must_change_password: z.boolean(),
    session_ends: z.number().int(),
    iat: z.number(),
    nbf: z.number(),
    exp: z.number(),
  })
  .refine(({ sub, tenant }) => sub === tenant)
  .refine(({ iat, exp }) => exp - iat <= tokenSeconds)

export interface ReadToken {
  session: Session
  roles: readonly Role[]
  /** Milliseconds since 1970. */
  expiresAt: number
}

export const signSessionToken = (
  { kid, privateKey }: { kid: string; privateKey: CryptoKey },
  { userId, sessionId, mustChangePassword, endsAt }: Session,
  userRoles: readonly Role[],
  nowMs: number,
): Promise<string> => {
  const now = Math.floor(nowMs / 1000)
  const own = { tenant: userId, roles: userRoles, sid: sessionId, must_change_password: mustChangePassword }
  return new SignJWT({ ...own, session_ends: endsAt })
    .setProtectedHeader({ alg: algorithm, kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(userId)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + tokenSeconds)
    .sign(privateKey)
}

/** Faults of the token; all others mean that keys could not be fetched. */
const faults = new Set(
  [
    errors.JWTExpired,
    errors.JWTClaimValidationFailed,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
  ].map(({ code }) => code),
)

/** Undefined for what is no token of ours; throws where the keys cannot be fetched. */
export const readSessionToken = async (
  token: string,
  keys: JWTVerifyGetKey,
  clock: Clock,
): Promise<ReadToken | undefined> => {
  if (token.length > maxTokenLength) return undefined
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [algorithm],
      issuer,
      audience,
      currentDate: new Date(clock.now()),
      clockTolerance: clockSkewSeconds,
      maxTokenAge: tokenSeconds,
      requiredClaims: ['sub', 'iat', 'nbf', 'exp'],
    })
    const read = claims.safeParse(payload)
    if (!read.success) return undefined
    const { sub, sid, must_change_password, session_ends, exp, roles } = read.data
    const session = {
      userId: sub,
      sessionId: sid,
      mustChangePassword: must_change_password,
      endsAt: session_ends,
    }
    return { session, roles, expiresAt: exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JOSEError && faults.has(error.code)) return undefined
    throw error
  }
}
