import { later } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import { decryptMediaRetryData, proto } from '@whiskeysockets/baileys'
import type { PhoneAnswer } from '../gateway/gateway.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { messageOf } from './message-of.ts'
import { type ClaimedMedia, nameMessage, waitForPhone } from './queries.ts'

export interface AskPhoneDeps {
  ports: Pick<Ports, 'store' | 'codec' | 'pool' | 'clock'>
  outbox: Pick<Outbox, 'add'>
}

/** Phones may be offline or without battery. */
const answerTimeoutMs = 24 * 3_600_000

/** Over the line of the message. False when there is none. */
export const askPhone = async ({ ports, outbox }: AskPhoneDeps, wanted: ClaimedMedia): Promise<boolean> => {
  const { pool, clock } = ports
  const { id, contactId, tenant, eventId, correlationId } = wanted
  const message = await messageOf(ports, wanted)
  if (!message?.source) return false
  const { connectionId, messageId, fromMe, position } = message
  await nameMessage(pool, id, connectionId, messageId)
  const work = { kind: 'reupload' as const, messageId, fromMe, mediaKey: message.source.mediaKey }
  const toJid = ''
  await outbox.add({
    ...{ connectionId, contactId, tenant, toJid, work, position, eventId, correlationId },
    messageId: `file ${eventId}`,
  })
  await waitForPhone(pool, id, clock.now(), later(clock.now(), answerTimeoutMs))
  return true
}

/** undefined when the phone had none, or the answer cannot be decrypted with the file's key (base64). */
export const directPathIn = (
  { ciphertext, iv }: PhoneAnswer,
  mediaKey: string,
  messageId: string,
): string | undefined => {
  const encrypted = { ciphertext: Buffer.from(ciphertext, 'base64'), iv: Buffer.from(iv, 'base64') }
  try {
    const { result, directPath } = decryptMediaRetryData(encrypted, Buffer.from(mediaKey, 'base64'), messageId)
    return (result === proto.MediaRetryNotification.ResultType.SUCCESS && directPath) || undefined
  } catch {
    // Not from the phone that has the file.
    return undefined
  }
}
