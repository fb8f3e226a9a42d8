import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { later } from '@prosa/kernel/clock'
import { Refused } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'
import { addReservation, lockKept, readCharges, readIncoming } from './queries.ts'
import { quotaForReceived, quotaForUpload, secondsUntilQuota, type UploadRefusal, type Usage } from './storage-quota.ts'

interface IncomingFile {
  id: string
  owner: string
}

/** What the budgets of a tenant leave for its files. */
export interface StorageReservations {
  /**
   * Reserves room for an upload before a byte of it is read. `wanted` undefined: its length is not given, and gets what there
   * is, up to `most`; what comes beyond is to be refused with `beyond`. Throws the refusal.
   */
  reserveUpload(
    file: IncomingFile,
    wanted: number | undefined,
    max: number,
  ): Promise<{ bytes: number; beyond: UploadRefusal | undefined }>
  /** The refusal of an upload of which `wanted` bytes were to come, with the wait where waiting helps. */
  refusalOf(owner: string, refusal: UploadRefusal, wanted: number): Promise<Refused>
  /** Reserves room for a received file; `claimed` is the size that its sender claims, `most` what it may. */
  reserveReceived(
    file: IncomingFile,
    claimed: number,
    max: number,
  ): Promise<{ bytes: number } | { refused: 'full' | 'later' }>
}

/** Longer than an upload or a download may take: what a process that died has reserved ends then. */
const heldMs = 20 * 60_000

export const storageReservations = ({
  pool,
  clock,
  budgets,
}: Pick<Ports, 'pool' | 'clock' | 'budgets'>): StorageReservations => {
  // Whoever waits in the database for another decision about the same tenant holds a connection that others need.
  const inTurn = keyedQueue()

  /**
   * Reserves what `decide` answers, in bytes, and returns it. One file of a tenant at a time, in all processes: nobody decides by
   * what somebody else is about to take.
   */
  const reserve = <T extends { bytes: number } | { refused: string }>(
    file: IncomingFile & { isUpload: boolean },
    decide: (usage: Usage) => T,
  ): Promise<T> =>
    inTurn.run(file.owner, () =>
      transaction(pool, async (client) => {
        const keptBytes = await lockKept(client, file.owner)
        const now = clock.now()
        const quota = decide({ keptBytes, ...(await readIncoming(client, file.owner, file.id, now)) })
        if ('bytes' in quota) {
          const { bytes } = quota
          await addReservation(client, { ...file, bytes, heldUntil: later(now, heldMs) }, now)
        }
        return quota
      }),
    )

  const refusalOf: StorageReservations['refusalOf'] = async (owner, refusal, wanted) => {
    if (refusal !== 'media_day_used_up') return new Refused(refusal)
    const now = clock.now()
    const charges = await readCharges(pool, owner, now)
    return new Refused(refusal, undefined, secondsUntilQuota(charges, wanted, budgets, now))
  }

  return {
    refusalOf,
    async reserveUpload({ id, owner }, wanted, max) {
      const decide = (usage: Usage) => quotaForUpload(usage, wanted, max, budgets)
      const quota = await reserve({ id, owner, isUpload: true }, decide)
      if ('refused' in quota) throw await refusalOf(owner, quota.refused, wanted ?? 1)
      return quota
    },
    reserveReceived: ({ id, owner }, claimed, max) =>
      reserve({ id, owner, isUpload: false }, (usage) => quotaForReceived(usage, claimed, max, budgets)),
  }
}
