import type { Position } from '../event-store/port.ts'
import { lruMap } from '../lru-map.ts'
import type { SecretBox } from '../privacy/secret-box.ts'

/** Stands for the tenant in what all administrators are told at once. */
export const administrators = 'administrators'

/** A page names what it has seen since its last reading; what would come beyond is not read. */
const maxTokens = 16
/** With a comma and a space; one has 64 characters for a position of 20 digits. */
const maxTokenLength = 130
/** About 300 bytes each. */
const rememberedTokens = 20_000

export interface PositionTokens {
  /** What this tenant, or `administrators`, is given for a position: text that reveals nothing of it. */
  tokenOf(tenant: string, position: Position): string
  /**
   * The latest of the positions in a header of the tenant's: tokens with commas between them. Undefined where none of them can be read:
   * those of others, of another installation, and the plain positions of releases before.
   */
  latestOf(tenant: string, header: unknown): Position | undefined
}

/** Positions of the log for browsers, which would else know its size (docs/decisions/0055-opaque-positions.md). */
export const positionTokens = (box: Pick<SecretBox, 'token' | 'readToken'>): PositionTokens => {
  const contextOf = (tenant: string) => `position ${tenant}`
  /** By tenant and token; empty where there is nothing to be read. A page sends the same one with each of its polls. */
  const known = lruMap<string, string>(rememberedTokens)

  const read = (tenant: string, token: string): string => {
    // None of ours, and not to be remembered: a tenant who sends such ones would fill the memory.
    if (token.length > maxTokenLength) return ''
    const key = `${tenant} ${token}`
    const before = known.get(key)
    if (before !== undefined) return before
    const position = box.readToken(token, contextOf(tenant)) ?? box.readToken(token, contextOf(administrators)) ?? ''
    known.set(key, position)
    return position
  }

  return {
    tokenOf: (tenant, position) => box.token(position, contextOf(tenant)),
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
