import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import { later } from '@prosa/kernel/clock'
import { Refused } from '@prosa/kernel/http/problem'
import { transaction } from '@prosa/kernel/postgres/pool'
import type { Ports } from '@prosa/product/ports'
import { addReservation, lockStoredBytes, readCharges, readIncoming } from './queries.ts'
import { quotaForReceived, quotaForUpload, secondsUntilQuota, type UploadRefusal, type Usage } from './storage-quota.ts'

interface IncomingFile {
  id: string
  tenant: string
}

export interface StorageReservations {
  /** Before the first byte. `wanted` undefined: unknown length; more than granted must be refused with `beyond`. Throws the refusal. */
  reserveUpload(
    file: IncomingFile,
    wanted: number | undefined,
    max: number,
  ): Promise<{ bytes: number; beyond: UploadRefusal | undefined }>
  /** With the wait where waiting helps. */
  refusalOf(tenant: string, refusal: UploadRefusal, wanted: number): Promise<Refused>
  /** `claimed` is the sender's claim of the size. */
  reserveReceived(
    file: IncomingFile,
    claimed: number,
    max: number,
  ): Promise<{ bytes: number } | { refused: 'full' | 'later' }>
}

/** Longer than any transfer: reservations of a dead process expire then. */
const reservationMs = 20 * 60_000

export const storageReservations = ({
  pool,
  clock,
  budgets,
}: Pick<Ports, 'pool' | 'clock' | 'budgets'>): StorageReservations => {
  // Waiting for the tenant's lock would hold a database connection.
  const queue = keyedQueue()

  /** Bytes. Serial for each tenant over all processes, so that no decision misses another. */
  const reserve = <T extends { bytes: number } | { refused: string }>(
    file: IncomingFile & { isUpload: boolean },
    decide: (usage: Usage) => T,
  ): Promise<T> =>
    queue.run(file.tenant, () =>
      transaction(pool, async (client) => {
        const storedBytes = await lockStoredBytes(client, file.tenant)
        const now = clock.now()
        const quota = decide({ storedBytes, ...(await readIncoming(client, file.tenant, file.id, now)) })
        if ('bytes' in quota) {
          const { bytes } = quota
          await addReservation(client, { ...file, bytes, reservedUntil: later(now, reservationMs) }, now)
        }
        return quota
      }),
    )

  const refusalOf: StorageReservations['refusalOf'] = async (tenant, refusal, wanted) => {
    if (refusal !== 'media_day_used_up') return new Refused(refusal)
    const now = clock.now()
    const charges = await readCharges(pool, tenant, now)
    return new Refused(refusal, undefined, secondsUntilQuota(charges, wanted, budgets, now))
  }

  return {
    refusalOf,
    async reserveUpload({ id, tenant }, wanted, max) {
      const decide = (usage: Usage) => quotaForUpload(usage, wanted, max, budgets)
      const quota = await reserve({ id, tenant, isUpload: true }, decide)
      if ('refused' in quota) throw await refusalOf(tenant, quota.refused, wanted ?? 1)
      return quota
    },
    reserveReceived: ({ id, tenant }, claimed, max) =>
      reserve({ id, tenant, isUpload: false }, (usage) => quotaForReceived(usage, claimed, max, budgets)),
  }
}
