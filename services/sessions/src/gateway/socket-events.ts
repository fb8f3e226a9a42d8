import { phone } from '@prosa/contracts/values/phone'
import type { Logger } from '@prosa/kernel/observability/log'
import {
  type AuthenticationCreds,
  type BinaryNode,
  type ConnectionState,
  type Contact,
  jidDecode,
  proto,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { DeliveryStatus } from '../domain/line.ts'
import type { Close, IsFrom, LineHooks, LinkedNumber, PhoneAnswer } from './gateway.ts'
import type { CredentialSaving } from './save-credentials.ts'
import { isUndecrypted } from './whatsapp/arrival.ts'
import { presenceUpdate } from './whatsapp/presence-update.ts'
import { receiptUpdate } from './whatsapp/receipt-update.ts'
import { untrustedId } from './whatsapp/untrusted-input.ts'

export interface SocketEventDeps {
  connectionId: string
  creds: AuthenticationCreds
  saving: CredentialSaving
  closeCredentials(): void
  hooks: LineHooks
  log: Logger
  isFrom(peer: string | null | undefined): IsFrom
  arrived(message: WAMessage, via: 'notify' | 'append'): Promise<void>
  isStored(message: WAMessage): boolean
  /** True for a message that waited at WhatsApp while the line was down. */
  isOffline(): boolean
  onUndecrypted(): void
}

const statuses = new Map<number, DeliveryStatus>([
  [proto.WebMessageInfo.Status.DELIVERY_ACK, 'delivered'],
  [proto.WebMessageInfo.Status.READ, 'read'],
  [proto.WebMessageInfo.Status.PLAYED, 'played'],
])

const linkedNumber = (me: Contact | undefined): LinkedNumber => ({
  phone: phone.safeParse(jidDecode(me?.id)?.user).data ?? null,
  lid: jidDecode(me?.lid)?.user ?? null,
  pushName: me?.name ?? null,
})

const closeOf = ({ lastDisconnect }: Partial<ConnectionState>): Close => {
  const error = lastDisconnect?.error
  const code = (error as { output?: { statusCode?: unknown } } | undefined)?.output?.statusCode
  return { code: typeof code === 'number' ? code : 0, reason: error?.message ?? 'closed' }
}

const answerOf = ({ ciphertext, iv }: { ciphertext: Uint8Array; iv: Uint8Array }): PhoneAnswer => ({
  ciphertext: Buffer.from(ciphertext).toString('base64'),
  iv: Buffer.from(iv).toString('base64'),
})

const report = (
  hooks: LineHooks,
  messageId: string | null | undefined,
  status: number | null | undefined,
  isFrom: IsFrom,
) => {
  const reported = statuses.get(status ?? -1)
  if (messageId && reported) hooks.reported(messageId, reported, isFrom)
}

const listenToMessages = (socket: WASocket, deps: SocketEventDeps) => {
  const { connectionId, hooks, log, isFrom } = deps
  const reportUndecrypted = ({ key }: WAMessage) => {
    const messageId = untrustedId(key.id) ?? null
    // 0 after the last request, or when there is nothing to read.
    const requests = socket.messageRetryManager?.getRetryCount(key.id ?? '')
    log.warn({ connectionId, messageId, requests }, 'message could not be decrypted')
    deps.onUndecrypted()
  }
  socket.ev.on('messages.upsert', ({ messages, type }) => {
    for (const message of messages) {
      // Only messages that the phone resends on request are new here.
      if (!deps.isStored(message)) {
        if (isUndecrypted(message)) reportUndecrypted(message)
        deps
          .arrived(message, deps.isOffline() ? 'append' : type)
          .catch((error) => log.error({ connectionId, err: error }, 'message not recorded'))
      }
      // A receipt that overtakes an echo is part of it.
      if (message.key.fromMe) report(hooks, message.key.id, message.status, isFrom(message.key.remoteJid))
    }
  })
  socket.ev.on('messages.media-update', (updates) => {
    for (const { key, media: answer } of updates)
      if (key.id) hooks.fileAnswered(key.id, answer ? answerOf(answer) : null)
  })
}

const listenToReceipts = (socket: WASocket, { creds, hooks, isFrom }: SocketEventDeps) => {
  // Without delay: Baileys may buffer its events for 30 s after linking.
  socket.ws.on('CB:receipt', (stanza: BinaryNode) => {
    const update = receiptUpdate(stanza, creds.me)
    for (const id of update?.messageIds ?? []) if (update) hooks.reported(id, update.status, isFrom(update.from))
  })
  // One-to-one chats get no 'message-receipt.update'.
  socket.ev.on('messages.update', (updates) => {
    for (const { key, update } of updates) if (key.fromMe) report(hooks, key.id, update.status, isFrom(key.remoteJid))
  })
  // Baileys has no event for an acknowledgement without an error.
  socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
    if (attrs.id) hooks.acknowledged(attrs.id, attrs.error)
  })
}

export const listenToSocket = (socket: WASocket, deps: SocketEventDeps): void => {
  const { creds, saving, hooks } = deps
  socket.ev.on('creds.update', saving.changed)
  listenToMessages(socket, deps)
  listenToReceipts(socket, deps)
  for (const kind of ['CB:presence', 'CB:chatstate'])
    socket.ws.on(kind, (stanza: BinaryNode) => {
      const update = presenceUpdate(stanza)
      if (update) hooks.presence(update.jid, update.state)
    })
  socket.ev.on('connection.update', (update) => {
    if (update.qr) hooks.qrCode(update.qr)
    if (update.isNewLogin) void saving.settled().then(() => hooks.linked(linkedNumber(creds.me)))
    if (update.connection === 'open') hooks.opened(linkedNumber(creds.me))
    if (update.connection === 'close')
      // After 515 the next login needs these credentials.
      void saving.settled().then(() => {
        deps.closeCredentials()
        hooks.closed(closeOf(update))
      })
  })
}
