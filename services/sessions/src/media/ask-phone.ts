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

/** A phone may be in a drawer, without a network or a battery. */
const answerTimeoutMs = 24 * 3_600_000

/**
 * Has the own phone asked, over the line on which the message came, to upload a file again that WhatsApp has forgotten,
 * and waits a day for its answer. False when there is nobody to ask.
 */
export const askPhone = async ({ ports, outbox }: AskPhoneDeps, wanted: ClaimedMedia): Promise<boolean> => {
  const { pool, clock } = ports
  const { id, contactId, owner, eventId, correlationId } = wanted
  const message = await messageOf(ports, wanted)
  if (!message?.source) return false
  const { connectionId, messageId, fromMe, position } = message
  await nameMessage(pool, id, connectionId, messageId)
  const work = { kind: 'reupload' as const, messageId, fromMe, mediaKey: message.source.mediaKey }
  const toJid = ''
  await outbox.add({
    ...{ connectionId, contactId, owner, toJid, work, position, eventId, correlationId },
    messageId: `file ${eventId}`,
  })
  await waitForPhone(pool, id, clock.now(), later(clock.now(), answerTimeoutMs))
  return true
}

/**
 * Where the phone put the file; undefined when it could not, or its answer cannot be opened with the file's key
 * (base64).
 */
export const directPathIn = (
  { ciphertext, iv }: PhoneAnswer,
  mediaKey: string,
  messageId: string,
): string | undefined => {
  const locked = { ciphertext: Buffer.from(ciphertext, 'base64'), iv: Buffer.from(iv, 'base64') }
  try {
    const { result, directPath } = decryptMediaRetryData(locked, Buffer.from(mediaKey, 'base64'), messageId)
    return (result === proto.MediaRetryNotification.ResultType.SUCCESS && directPath) || undefined
  } catch {
    // Not from the phone that has the file: as good as no answer.
    return undefined
  }
}
