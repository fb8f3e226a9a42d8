/** A companion found that a file is gone from WhatsApp's network: its phone stores it there once more. */

import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, hkdf, proto } from '@whiskeysockets/baileys'
import type { MediaHost } from '../server/media.ts'
import { child, el, type Stanza, seconds } from '../wire/stanza.ts'
import type { FileMessage } from './attachments.ts'

const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType

/** Whether this receipt of a companion asks for a file. */
export const asksForFile = ({ attrs }: Stanza): boolean => attrs.type === 'server-error'

/**
 * What the phone answers such a receipt, from the jid `from`: where the file of that message is now, locked with the
 * file's own key, or that it has none.
 */
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
  const locked = aesEncryptGCM(answer, key, iv, Buffer.from(id))
  return el('notification', attrs, [about, el('encrypt', {}, [el('enc_p', {}, locked), el('enc_iv', {}, iv)])])
}
