import type { Position } from '../../event-store/port.ts'
import { lruMap } from '../../lru-map.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'

/** Used in place of a tenant. */
export const administrators = 'administrators'

const maxTokens = 16
/** With comma and space; 20 digits make 64 characters. */
const maxTokenLength = 130
/** About 300 bytes each. */
const maxCachedTokens = 20_000

export interface PositionTokens {
  /** Reveals nothing of the position. */
  tokenOf(tenant: string, position: Position): string
  /** Shorter, and far cheaper where there are many. */
  tokensOf(tenant: string, positions: readonly Position[]): string[]
  /** Undefined if none is readable: foreign tokens, plain positions of earlier releases. */
  latestOf(tenant: string, header: unknown): Position | undefined
}

/** Plain positions would reveal the log's size (docs/decisions/0055-opaque-positions.md). */
export const positionTokens = (
  box: Pick<SecretBox, 'token' | 'readToken' | 'digitTokens' | 'readDigitToken'>,
): PositionTokens => {
  const contextOf = (tenant: string) => `position ${tenant}`
  /** Empty for unreadable tokens. */
  const known = lruMap<string, string>(maxCachedTokens)

  const decrypted = (token: string, tenant: string): string | undefined =>
    box.readDigitToken(token, contextOf(tenant)) ?? box.readToken(token, contextOf(tenant))

  const read = (tenant: string, token: string): string => {
    // Not cached: a tenant could fill the memory.
    if (token.length > maxTokenLength) return ''
    const key = `${tenant} ${token}`
    const before = known.get(key)
    if (before !== undefined) return before
    const position = decrypted(token, tenant) ?? decrypted(token, administrators) ?? ''
    known.set(key, position)
    return position
  }

  return {
    tokenOf: (tenant, position) => box.token(position, contextOf(tenant)),
    tokensOf: (tenant, positions) => box.digitTokens(positions, contextOf(tenant)),
    latestOf(tenant, header) {
      if (typeof header !== 'string' || header === '' || header.length > maxTokens * maxTokenLength) return undefined
      let latest = ''
      for (const token of header.split(',', maxTokens)) {
        const position = read(tenant, token.trim())
        if (position > latest) latest = position
      }
      return latest === '' ? undefined : (latest as Position)
    },
  }
}
