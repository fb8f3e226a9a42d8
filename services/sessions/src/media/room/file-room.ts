import { later } from '@prosa/kernel/clock'
import { Refused } from '@prosa/kernel/http/problem'
import { inTurns } from '@prosa/kernel/in-turn'
import type { Ports } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'
import { addReservation, lockKept, readCharges, readIncoming } from './queries.ts'
import { roomForReceived, roomForUpload, secondsUntilRoom, type UploadRefusal, type Usage } from './room-for.ts'

interface IncomingFile {
  id: string
  owner: string
}

/** What the budgets of a tenant leave for its files. */
export interface FileRoom {
  /**
   * Reserves room for an upload before a byte of it is read. `wanted` undefined: it does not say how long it is, and gets what there
   * is, up to `most`; what comes beyond is to be refused with `beyond`. Throws the refusal.
   */
  reserveUpload(
    file: IncomingFile,
    wanted: number | undefined,
    most: number,
  ): Promise<{ bytes: number; beyond: UploadRefusal | undefined }>
  /** The refusal of an upload of which `wanted` bytes were to come, with the wait where waiting helps. */
  refusalOf(owner: string, refusal: UploadRefusal, wanted: number): Promise<Refused>
  /** Reserves room for a received file; `claimed` is what its sender says that it weighs, `most` what it may. */
  reserveReceived(
    file: IncomingFile,
    claimed: number,
    most: number,
  ): Promise<{ bytes: number } | { refused: 'full' | 'later' }>
}

/** Longer than an upload or a download may take: what a process that died has reserved ends then. */
const heldMilliseconds = 20 * 60_000

export const fileRoom = ({ pool, clock, budgets }: Pick<Ports, 'pool' | 'clock' | 'budgets'>): FileRoom => {
  // Whoever waits in the database for another decision about the same tenant holds a connection that others need.
  const inTurn = inTurns()

  /**
   * Reserves what `decide` answers, in bytes, and returns it. One file of a tenant at a time, in all processes: nobody decides by
   * what somebody else is about to take.
   */
  const reserve = <T extends { bytes: number } | { refused: string }>(
    file: IncomingFile & { isUpload: boolean },
    decide: (usage: Usage) => T,
  ): Promise<T> =>
    inTurn(file.owner, () =>
      transaction(pool, async (client) => {
        const keptBytes = await lockKept(client, file.owner)
        const now = clock.now()
        const room = decide({ keptBytes, ...(await readIncoming(client, file.owner, file.id, now)) })
        if ('bytes' in room) {
          const { bytes } = room
          await addReservation(client, { ...file, bytes, heldUntil: later(now, heldMilliseconds) }, now)
        }
        return room
      }),
    )

  const refusalOf: FileRoom['refusalOf'] = async (owner, refusal, wanted) => {
    if (refusal !== 'media_day_used_up') return new Refused(refusal)
    const now = clock.now()
    const charges = await readCharges(pool, owner, now)
    return new Refused(refusal, undefined, secondsUntilRoom(charges, wanted, budgets, now))
  }

  return {
    refusalOf,
    async reserveUpload({ id, owner }, wanted, most) {
      const decide = (usage: Usage) => roomForUpload(usage, wanted, most, budgets)
      const room = await reserve({ id, owner, isUpload: true }, decide)
      if ('refused' in room) throw await refusalOf(owner, room.refused, wanted ?? 1)
      return room
    },
    reserveReceived: ({ id, owner }, claimed, most) =>
      reserve({ id, owner, isUpload: false }, (usage) => roomForReceived(usage, claimed, most, budgets)),
  }
}
