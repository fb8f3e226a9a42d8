import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { phone as phoneNumber } from '@prosa/contracts/values/phone'
import {
  type AuthenticationCreds,
  encryptMediaRetryRequest,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { KnownNumber, LineHandle } from './gateway.ts'
import type { CredentialSaving } from './save-credentials.ts'
import { editMark, messageToSend, preparedMessage } from './whatsapp/outgoing-message.ts'

export interface BaileysHandleDeps {
  creds: AuthenticationCreds
  saving: CredentialSaving
  closeCredentials(): void
  media: { read(tenant: string, mediaId: string): Promise<{ content: Readable }> }
}

const chatStates = { typing: 'composing', recording: 'recording', paused: 'paused' } as const

const graceMs = 1000

const preparing =
  (socket: WASocket, { creds, media }: BaileysHandleDeps): LineHandle['prepare'] =>
  async (outgoing, quotesOwn, original) => {
    const { tenant, toJid } = outgoing
    const message = await preparedMessage(outgoing, {
      me: jidNormalizedUser((isLidUser(toJid) && creds.me?.lid) || creds.me?.id),
      quotesOwn,
      original,
      upload: socket.waUploadToServer,
      open: async ({ id }) => (await media.read(tenant, id)).content,
    })
    return proto.Message.encode(proto.Message.fromObject(message)).finish()
  }

const sending =
  (socket: WASocket): LineHandle['send'] =>
  async (outgoing, { asksDevices } = { asksDevices: false }) => {
    const { messageId, toJid } = outgoing
    const message = messageToSend(outgoing)
    if (!message) throw new Error('the message is not prepared')
    // Without devices Baileys would send to our own only, and the server would accept. The result is cached for the next step.
    if (isPnUser(toJid) && (await socket.getUSyncDevices([toJid], !asksDevices, false)).length === 0)
      throw new Error('nobody has this number')
    // Not sendMessage: it would fetch any address in the text for a preview.
    await socket.relayMessage(toJid, message, {
      messageId,
      useUserDevicesCache: !asksDevices,
      additionalAttributes: editMark(outgoing),
    })
  }

/** Baileys omits numbers that do not exist, and returns the LID only on request. */
const findNumber = async (
  { onWhatsApp, signalRepository }: WASocket,
  phone: string,
): Promise<KnownNumber | undefined> => {
  const found = (await onWhatsApp(phone))?.find(({ exists }) => exists)
  if (!found) return undefined
  const known = isPnUser(found.jid) ? phoneNumber.safeParse(jidDecode(found.jid)?.user).data : undefined
  const lid = await signalRepository.lidMapping.getLIDForPN(found.jid)
  return { phone: known ?? phone, lid: jidDecode(lid ?? undefined)?.user ?? null }
}

export const baileysHandle = (socket: WASocket, deps: BaileysHandleDeps): LineHandle => ({
  prepare: preparing(socket, deps),
  send: sending(socket),
  markRead: (remoteJid, ids) => socket.readMessages(ids.map((id) => ({ remoteJid, id, fromMe: false }))),
  askForFile: ({ chatJid, messageId, fromMe, mediaKey }) =>
    socket.sendNode(
      encryptMediaRetryRequest(
        { remoteJid: chatJid, id: messageId, fromMe },
        Buffer.from(mediaKey, 'base64'),
        deps.creds.me?.id ?? '',
      ),
    ),
  follow: (jid) => socket.presenceSubscribe(jid),
  show: (toJid, state) => socket.sendPresenceUpdate(chatStates[state], toJid),
  appear: (isThere) => socket.sendPresenceUpdate(isThere ? 'available' : 'unavailable'),
  requestPairingCode: (phone) => socket.requestPairingCode(phone),
  findNumber: (phone) => findNumber(socket, phone),
  logOut: () => socket.logout(),
  async close() {
    await socket.end(undefined)
    // The successor needs the stored credentials, but a lost database must not block this.
    await Promise.race([deps.saving.settled(), delay(graceMs)])
    deps.closeCredentials()
  },
})
