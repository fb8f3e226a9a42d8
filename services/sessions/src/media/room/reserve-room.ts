import { later } from '@prosa/kernel/clock'
import { Refused } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import { transaction } from '@prosa/kernel/postgres/pool'
import { addReservation, lockKept, readCharges, readIncoming } from './queries.ts'
import { roomForReceived, roomForUpload, secondsUntilRoom, type UploadRefusal, type Usage } from './room-for.ts'

type RoomPorts = Pick<Ports, 'pool' | 'clock' | 'budgets'>

/** Longer than an upload or a download may take: what a process that died has reserved ends then. */
const heldMilliseconds = 20 * 60_000

/**
 * Reserves what `decide` answers, in bytes, and returns it. One file of a tenant at a time, in all processes: nobody decides by what
 * somebody else is about to take.
 */
const reserve = <T extends { bytes: number } | { refused: string }>(
  { pool, clock }: RoomPorts,
  file: { id: string; owner: string; isUpload: boolean },
  decide: (usage: Usage) => T,
): Promise<T> =>
  transaction(pool, async (client) => {
    const keptBytes = await lockKept(client, file.owner)
    const now = clock.now()
    const room = decide({ keptBytes, ...(await readIncoming(client, file.owner, file.id, now)) })
    if ('bytes' in room) {
      const { bytes } = room
      await addReservation(client, { ...file, bytes, heldUntil: later(now, heldMilliseconds) }, now)
    }
    return room
  })

/** The refusal of an upload, with the wait where waiting helps; `wanted` bytes were to come. */
export const refuseUpload = async (
  { pool, clock, budgets }: RoomPorts,
  owner: string,
  refusal: UploadRefusal,
  wanted: number,
): Promise<Refused> => {
  if (refusal !== 'media_day_used_up') return new Refused(refusal)
  const now = clock.now()
  const charges = await readCharges(pool, owner, now)
  return new Refused(refusal, undefined, secondsUntilRoom(charges, wanted, budgets, now))
}

/**
 * Reserves room for an upload before a byte of it is read. `wanted` undefined: it does not say how long it is, and gets what there is,
 * up to `most`; what comes beyond is to be refused with `beyond`. Throws the refusal.
 */
export const reserveUpload = async (
  ports: RoomPorts,
  { id, owner }: { id: string; owner: string },
  wanted: number | undefined,
  most: number,
): Promise<{ bytes: number; beyond: UploadRefusal | undefined }> => {
  const room = await reserve(ports, { id, owner, isUpload: true }, (usage) =>
    roomForUpload(usage, wanted, most, ports.budgets),
  )
  if ('refused' in room) throw await refuseUpload(ports, owner, room.refused, wanted ?? 1)
  return room
}

/** Reserves room for a received file; `claimed` is what its sender says that it weighs, `most` what it may. */
export const reserveReceived = (
  ports: RoomPorts,
  { id, owner }: { id: string; owner: string },
  claimed: number,
  most: number,
): Promise<{ bytes: number } | { refused: 'full' | 'later' }> =>
  reserve(ports, { id, owner, isUpload: false }, (usage) => roomForReceived(usage, claimed, most, ports.budgets))
