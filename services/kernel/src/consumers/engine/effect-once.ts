import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { claimEffect, forgetClaim, markEffectMade } from './effect-queries.ts'

/**
 * Thrown by what makes an effect when nothing can have left this process (the other side was never reached, or refused before
 * it took anything): the claim is taken back, and the reactor may try again.
 */
export class EffectNotMade extends Error {
  override name = 'EffectNotMade'
}

/** Whether the effect left this process is not known, so it is not repeated: an administrator decides. */
export class EffectUnknown extends Error {
  override name = 'EffectUnknown'
  readonly effectId: string

  constructor(effectId: string, options?: ErrorOptions) {
    super('nobody knows whether this effect was made', options)
    this.effectId = effectId
  }
}

/** Makes an effect, or passes when it was made before. */
export type EffectOnce = (id: string, make: () => Promise<void>) => Promise<void>

/**
 * For effects that the other side cannot recognise as repeated, such as an e-mail. To be called inside a reactor's handler
 * (or a timer's `fire`), which comes back after a crash, with an id that follows from the event:
 *
 *     const once = effectOnce(ports.pool)
 *     ResetRequested: (event) => once(deriveId(name, event.id), () => mailer.send(…))
 *
 * The claim is committed before `make` is called, and marked once it resolves:
 * - marked already: resolves without calling `make`;
 * - `make` throws `EffectNotMade`: the claim is taken back and the error goes on; the reactor tries again and parks in the end;
 * - `make` throws anything else, or a crash left a claim without a mark: throws `EffectUnknown`, now and whenever it is asked
 *   again. The reactor parks the key at once with that name, in the list of parked work. An administrator's retry takes the
 *   claim back and makes the effect again; a release gives it up.
 * A database that is out of reach throws before `make` was called, or after it without calling it twice in this process.
 */
export const effectOnce = (pool: Pool): EffectOnce => {
  /** What the table may not show yet: claims whose answer is outstanding, and effects that were made but not marked. */
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
