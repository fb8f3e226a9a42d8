import { Readable } from 'node:stream'
import { mediaLimits } from '@prosa/contracts/http/live-chat'
import { mediaFileName, mediaFolder } from '@prosa/contracts/media-file-name'
import { FileTooLarge, type StoredFile } from '@prosa/kernel/files/port'
import { isShownPicture } from '@prosa/kernel/files/shown-picture'
import type { Ports } from '@prosa/kernel/ports'
import { acceptedType } from './accepted-type.ts'
import { directPathIn } from './ask-phone.ts'
import { decrypted, encryptionBytes } from './decrypted.ts'
import { download } from './download.ts'
import { type MediaSource, mediaAddress, renewedAddress } from './media-address.ts'
import { binary, findMediaType, headBytes } from './media-type.ts'
import { type MessageWithFile, messageOf } from './message-of.ts'
import type { ClaimedMedia } from './queries.ts'
import type { StorageReservations } from './storage/storage-reservations.ts'
import { bytesOf } from './stored-media.ts'
import { StorageReserved, Unfetchable } from './unfetchable.ts'

export interface BringDeps {
  ports: Pick<Ports, 'store' | 'codec' | 'files'>
  reservations: Pick<StorageReservations, 'reserveReceived'>
  /** Also fetches files of simulated phones on this machine. */
  loopback: boolean
  /** Milliseconds without a byte until a download is aborted. */
  silence?: number
}

export interface BroughtMedia extends StoredFile {
  mediaType: string
}

const addressOf = (
  { source, messageId }: MessageWithFile & { source: MediaSource },
  wanted: ClaimedMedia,
  loopback: boolean,
) => {
  if (!wanted.phoneAnswer) return mediaAddress(source, { loopback })
  const { file } = wanted.phoneAnswer
  const directPath = file && directPathIn(file, source.mediaKey, messageId)
  if (!directPath) throw new Unfetchable('expired')
  return renewedAddress(directPath, source, { loopback })
}

const reserve = async (reservations: BringDeps['reservations'], wanted: ClaimedMedia, claimed: number, max: number) => {
  const reserved = await reservations.reserveReceived(wanted, claimed, max)
  if (!('refused' in reserved)) return reserved.bytes
  throw reserved.refused === 'full' ? new Unfetchable('no_room') : new StorageReserved('waits for room')
}

/**
 * undefined when its source is unknown. The caller releases the reservation. Throws `Unfetchable`, `DownloadFailed` or `StorageReserved`,
 * with nothing stored. Pictures unsafe for browsers become plain files.
 */
export const bringMedia = async (
  { ports, reservations, loopback, silence }: BringDeps,
  wanted: ClaimedMedia,
  signal: AbortSignal,
): Promise<BroughtMedia | undefined> => {
  const { files } = ports
  const message = await messageOf(ports, wanted)
  if (!message) return undefined
  const { kind, source } = message
  if (!source) throw new Unfetchable('out_of_reach')
  const address = addressOf({ ...message, source }, wanted, loopback)
  if (!address) throw new Unfetchable('foreign_host')
  const { bytes: max } = mediaLimits[kind]
  const maxBytes = await reserve(reservations, wanted, message.bytes, max)
  const tooLarge = maxBytes < max ? 'no_room' : 'too_large'
  const encrypted = download(address, { signal, maxBytes: max + encryptionBytes, ...(silence && { silence }) })
  const content = Readable.from(decrypted(encrypted, kind, source), { objectMode: false })
  const name = mediaFileName(wanted.tenant, wanted.id)
  const stored = await files.put(name, content, maxBytes).catch((error: unknown) => {
    throw error instanceof FileTooLarge ? new Unfetchable(tooLarge, { cause: error }) : error
  })
  const read = bytesOf(files, name, stored.bytes)
  const mediaType = acceptedType(kind, await findMediaType(read))
  if (mediaType === undefined) {
    await files.deleteAll(mediaFolder(wanted.tenant, wanted.id))
    throw new Unfetchable('wrong_type')
  }
  const isShown = (kind !== 'image' && kind !== 'sticker') || isShownPicture(await read(0, headBytes))
  return { ...stored, mediaType: isShown ? mediaType : binary }
}
