import type { IncomingHttpHeaders } from 'node:http'
import type { JSONWebKeySet } from 'jose'
import type { Clock } from '../../clock.ts'
import { lruMap } from '../../lru-map.ts'
import type { Roles } from '../roles.ts'
import type { Authenticator, Session } from './authenticator.ts'
import { signSessionToken, tokenSeconds } from './session-token.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface TokenIssuer {
  /** A token with at least half its life left; undefined for visitors. */
  tokenFor(headers: IncomingHttpHeaders): Promise<string | undefined>
  published(): Promise<JSONWebKeySet>
}

export interface TokenIssuerDeps {
  authenticator: Pick<Authenticator, 'authenticate'>
  roles: Roles
  keys: SigningKeys
  clock: Clock
}

const maxCachedTokens = 20_000
const reusedMs = (tokenSeconds / 2) * 1000

/** The session is looked up each time; only the signature is reused. */
export const tokenIssuer = ({ authenticator, roles, keys, clock }: TokenIssuerDeps): TokenIssuer => {
  const signed = lruMap<string, { token: string; at: number; mustChangePassword: boolean }>(maxCachedTokens)
  const now = () => Date.parse(clock.now())

  const sign = async (session: Session) => {
    const at = now()
    const userRoles = await roles.of(session.userId)
    const token = await signSessionToken(await keys.current(), session, userRoles, at)
    signed.set(session.sessionId, { token, at, mustChangePassword: session.mustChangePassword })
    return token
  }

  return {
    async tokenFor(headers) {
      const session = await authenticator.authenticate(headers)
      if (!session) return undefined
      const known = signed.get(session.sessionId)
      const age = known ? now() - known.at : 0
      const isReusable = known?.mustChangePassword === session.mustChangePassword && age >= 0 && age < reusedMs
      return known && isReusable ? known.token : sign(session)
    },
    published: () => keys.published(),
  }
}
