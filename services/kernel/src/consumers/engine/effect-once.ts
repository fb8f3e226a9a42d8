import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { claimEffect, forgetClaim, markEffectMade } from './effect-queries.ts'

/** Thrown when nothing left this process: the claim is released and the reactor may retry. */
export class EffectNotMade extends Error {
  override name = 'EffectNotMade'
}

/** The outcome is unknown, so only an administrator may repeat it. */
export class EffectUnknown extends Error {
  override name = 'EffectUnknown'
  readonly effectId: string

  constructor(effectId: string, options?: ErrorOptions) {
    super('it is unknown whether this effect happened', options)
    this.effectId = effectId
  }
}

export type EffectOnce = (id: string, make: () => Promise<void>) => Promise<void>

/**
 * For effects that the receiver cannot deduplicate, such as e-mail. Call it in a handler or a timer's `fire` with an id derived from the
 * event. The claim commits before `make`, and is marked after it:
 * - already marked: skips `make`;
 * - `EffectNotMade`: releases the claim and rethrows, for a retry;
 * - other errors, or a crash in between: `EffectUnknown`, which parks the key. A retry makes the effect again, a release gives it up.
 */
export const effectOnce = (pool: Pool): EffectOnce => {
  /** Claims without an answer, and effects made but not marked. */
  const unsettled = new Map<string, { claimant: string; isMade: boolean }>()
  const running = new Map<string, Promise<void>>()

  const settle = async (id: string, write: (pool: Pool, id: string) => Promise<void>) => {
    await write(pool, id)
    unsettled.delete(id)
  }

  const once = async (id: string, make: () => Promise<void>): Promise<void> => {
    const mine = unsettled.get(id) ?? { claimant: randomUUID(), isMade: false }
    if (mine.isMade) return settle(id, markEffectMade)
    unsettled.set(id, mine)
    const claim = await claimEffect(pool, id, mine.claimant)
    if (claim.isMade || claim.claimant !== mine.claimant) {
      unsettled.delete(id)
      if (claim.isMade) return
      throw new EffectUnknown(id)
    }
    try {
      await make()
    } catch (error) {
      unsettled.delete(id)
      if (!(error instanceof EffectNotMade)) throw new EffectUnknown(id, { cause: error })
      await forgetClaim(pool, id)
      throw error
    }
    mine.isMade = true
    await settle(id, markEffectMade)
  }

  return (id, make) => {
    const current = running.get(id) ?? once(id, make).finally(() => running.delete(id))
    running.set(id, current)
    return current
  }
}
