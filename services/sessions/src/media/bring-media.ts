import { Readable } from 'node:stream'
import { mediaLimits } from '@prosa/contracts/http/live-chat'
import { mediaFileName, mediaFolder } from '@prosa/contracts/media-file-name'
import { streamName } from '@prosa/contracts/streams'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { FileTooLarge, type StoredFile } from '@prosa/kernel/files/port'
import type { Ports } from '@prosa/kernel/ports'
import { acceptedType, type MediaKind } from './accepted-type.ts'
import { decrypted, encryptionBytes } from './decrypted.ts'
import { download } from './download.ts'
import { type MediaSource, mediaAddress } from './media-address.ts'
import { findMediaType } from './media-type.ts'
import type { WantedMedia } from './queries.ts'
import { bytesOf } from './stored-media.ts'
import { Unfetchable } from './unfetchable.ts'

export interface BringDeps {
  ports: Pick<Ports, 'store' | 'codec' | 'files'>
  /** Whether files of simulated phones, on this machine, are fetched too. */
  loopback: boolean
  /** Milliseconds without a byte after which a download is given up. */
  silence?: number
}

export interface BroughtMedia extends StoredFile {
  mediaType: string
}

/** What the message said of its file; undefined once the contact was erased. */
const sourceOf = async (
  { store, codec }: BringDeps['ports'],
  { contactId, revision }: WantedMedia,
): Promise<{ kind: MediaKind; source: MediaSource | null } | undefined> => {
  for await (const page of store.read(streamName('chat', contactId), { from: revision })) {
    const [event] = await codec.decode(page.slice(0, 1))
    if (!event || !('content' in event.data)) return undefined
    const content = event.data.content as MessageContent
    return 'file' in content ? { kind: content.kind, source: content.file.source } : undefined
  }
  return undefined
}

/**
 * Fetches a file from WhatsApp, opens it and puts it into the storage; undefined when nobody knows any longer where it is.
 * Throws `Unfetchable` or `DownloadFailed`; then nothing of it is in the storage.
 */
export const bringMedia = async (
  { ports, loopback, silence }: BringDeps,
  wanted: WantedMedia,
  signal: AbortSignal,
): Promise<BroughtMedia | undefined> => {
  const { files } = ports
  const found = await sourceOf(ports, wanted)
  if (!found) return undefined
  const { kind, source } = found
  // Its sender forgot to say where it is, or to leave the key.
  if (!source) throw new Unfetchable('out_of_reach')
  const address = mediaAddress(source, { loopback })
  if (!address) throw new Unfetchable('foreign_host')
  const { bytes: maxBytes } = mediaLimits[kind]
  const encrypted = download(address, { signal, maxBytes: maxBytes + encryptionBytes, ...(silence && { silence }) })
  const content = Readable.from(decrypted(encrypted, kind, source), { objectMode: false })
  const name = mediaFileName(wanted.owner, wanted.id)
  const stored = await files.put(name, content, maxBytes).catch((error: unknown) => {
    throw error instanceof FileTooLarge ? new Unfetchable('too_large', { cause: error }) : error
  })
  const mediaType = acceptedType(kind, await findMediaType(bytesOf(files, name, stored.bytes)))
  if (mediaType === undefined) {
    await files.deleteAll(mediaFolder(wanted.owner, wanted.id))
    throw new Unfetchable('wrong_type')
  }
  return { ...stored, mediaType }
}
