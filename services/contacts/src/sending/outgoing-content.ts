import type { SendMessageBody } from '@prosa/contracts/http/messages'
import type { Refusal } from '@prosa/contracts/refusals'
import { mediaLimits } from '@prosa/contracts/values/media-limits'
import type { MessageContent, QuotedMessage } from '@prosa/contracts/values/message-content'
import { isPreview } from '@prosa/kernel/files/shown-picture'
import type { StoredMedia } from '../others/stored-media.ts'

export type AttachedFile = NonNullable<SendMessageBody['media']>

export interface Unsendable {
  refused: Refusal
  field: string
  message?: string
}

const maxWaveformBytes = 64

const isWhole = (jpeg: Buffer) => jpeg.readUInt16BE(jpeg.length - 2) === 0xffd9

/** Validates what the sender reports about the file. */
const findFault = ({ as, preview, waveform }: AttachedFile, message: string): Unsendable | undefined => {
  const small = preview === undefined ? undefined : Buffer.from(preview, 'base64')
  if (small && !(isPreview(small) && isWhole(small)))
    return {
      refused: 'invalid_request',
      field: 'media.preview',
      message: 'A miniatura precisa ser um JPEG de até 12 kB e 1.000 pixels de lado.',
    }
  const loudness = waveform === undefined ? undefined : Buffer.from(waveform, 'base64')
  if (loudness && (loudness.length > maxWaveformBytes || loudness.some((each) => each > 100)))
    return {
      refused: 'invalid_request',
      field: 'media.waveform',
      message: 'A forma de onda pode ter até 64 valores de 0 a 100.',
    }
  const isWordless = as === 'audio' || as === 'voice' || as === 'sticker'
  if (isWordless && message.trim() !== '')
    return {
      refused: 'invalid_request',
      field: 'message',
      message: 'Áudios e figurinhas não levam legenda. Envie o texto em outra mensagem.',
    }
  return undefined
}

/** Removes control characters, direction marks and path parts. */
const plainFileName = (name: string | undefined): string =>
  (name ?? '')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim() || 'Documento'

/** `chatIds`: the file may have been sent to these. */
const findMisfit = ({ as }: AttachedFile, file: StoredMedia, chatIds: readonly string[]): Unsendable | undefined => {
  const field = 'media'
  if (file.status === 'awaited') return { refused: 'media_not_ready', field }
  if (file.status !== 'stored') return { refused: 'media_not_found', field }
  if (file.contactId !== null && !chatIds.includes(file.contactId)) return { refused: 'media_already_sent', field }
  const { bytes, types }: { bytes: number; types: readonly string[] | undefined } = mediaLimits[as]
  if (types && !types.includes(file.mediaType.split(';', 1)[0]?.trim() ?? ''))
    return { refused: 'media_type_refused', field }
  return file.bytes > bytes ? { refused: 'media_too_large', field } : undefined
}

/** With a file the text is its caption. */
export const outgoingContent = ({
  message,
  quoted,
  attached,
  file,
  chatIds,
}: {
  message: string
  quoted: QuotedMessage | null
  attached: AttachedFile | undefined
  file: StoredMedia
  chatIds: readonly string[]
}): MessageContent | Unsendable => {
  const answered = quoted ? { quoted } : {}
  if (!attached) return { kind: 'text', text: message, ...answered }
  const misfit = findFault(attached, message) ?? findMisfit(attached, file, chatIds)
  if (misfit) return misfit
  if (file.status !== 'stored') throw new Error('a file that is not stored passed the checks')
  const { id, as, seconds, width, height, preview, waveform } = attached
  const sent = { id, mediaType: file.mediaType, bytes: file.bytes, source: null }
  const caption = message.trim() === '' ? '' : message
  switch (as) {
    case 'image':
      return { kind: 'image', file: sent, caption, preview, width, height, ...answered }
    case 'video':
      return { kind: 'video', file: sent, caption, preview, seconds, width, height, ...answered }
    case 'audio':
    case 'voice':
      return { kind: 'audio', file: sent, voice: as === 'voice', seconds, waveform, ...answered }
    case 'document':
      return { kind: 'document', file: sent, fileName: plainFileName(attached.fileName), caption, ...answered }
    case 'sticker':
      return { kind: 'sticker', file: sent, animated: false, width, height, ...answered }
  }
}
