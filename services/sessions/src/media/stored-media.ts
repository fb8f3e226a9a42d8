import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { FileMissing, type FileStore } from '@prosa/kernel/files/port'
import type { Ports } from '@prosa/kernel/ports'
import { mediaHandler } from './media-handler.ts'
import type { ReadBytes } from './media-type.ts'

export interface StoredMedia {
  /** Media type by content. Throws `FileMissing`. */
  read(tenant: string, mediaId: string): Promise<{ content: Readable; bytes: number; mediaType: string }>
}

export const openStoredMedia = (ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'files'>): StoredMedia => {
  const medias = mediaHandler(ports)
  return {
    async read(tenant, mediaId) {
      const state = await medias.load(mediaId, tenant)
      if (state.status !== 'stored') throw new FileMissing(mediaId)
      const { content, bytes } = await ports.files.get(mediaFileName(tenant, mediaId))
      return { content, bytes, mediaType: state.file.mediaType }
    },
  }
}

export const bytesOf =
  (files: FileStore, name: string, bytes: number): ReadBytes =>
  async (from, length) => {
    if (from >= bytes) return Buffer.alloc(0)
    const { content } = await files.get(name, { from, to: Math.min(from + length, bytes) - 1 })
    return buffer(content)
  }
