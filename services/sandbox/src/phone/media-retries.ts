import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, hkdf, proto } from '@whiskeysockets/baileys'
import type { MediaHost } from '../server/media.ts'
import { child, el, type Stanza, seconds } from '../wire/stanza.ts'
import type { FileMessage } from './attachments.ts'

const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType

export const asksForFile = ({ attrs }: Stanza): boolean => attrs.type === 'server-error'

/** Where the file is now, encrypted with its own key, or that the phone has none. */
export async function mediaRetryAnswer(
  media: MediaHost,
  request: Stanza,
  file: FileMessage | undefined,
  from: string,
): Promise<Stanza> {
  const { id = '' } = request.attrs
  const about = el('rmr', { ...child(request, 'rmr')?.attrs })
  const attrs = { id, type: 'mediaretry', from, t: String(seconds()) }
  const directPath = file && (await media.storeAgain(file.url))
  if (!file || directPath === undefined)
    return el('notification', attrs, [about, el('error', { code: String(NOT_FOUND) })])
  const answer = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result: SUCCESS }).finish()
  const key = hkdf(Buffer.from(file.mediaKey), 32, { info: 'WhatsApp Media Retry Notification' })
  const iv = randomBytes(12)
  const encrypted = aesEncryptGCM(answer, key, iv, Buffer.from(id))
  return el('notification', attrs, [about, el('encrypt', {}, [el('enc_p', {}, encrypted), el('enc_iv', {}, iv)])])
}
