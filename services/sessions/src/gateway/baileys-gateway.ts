import type { Agent } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/observability/log'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import { quietLibsignal } from '@prosa/product/quiet-libsignal'
import {
  isJidBot,
  isJidBroadcast,
  isJidGroup,
  isJidMetaAI,
  isJidNewsletter,
  makeWASocket,
  type SocketConfig,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { baileysHandle } from './baileys-handle.ts'
import type { CredentialStore } from './credentials/credential-store.ts'
import type { Gateway, IsFrom, LineHooks } from './gateway.ts'
import { saveCredentials } from './save-credentials.ts'
import { listenToSocket } from './socket-events.ts'
import { arrivalOf } from './whatsapp/arrival.ts'
import { handleMessagesInOrder } from './whatsapp/in-order.ts'
import { lineCaches } from './whatsapp/line-caches.ts'
import { messageToSend } from './whatsapp/outgoing-message.ts'
import { limitRecentMessages } from './whatsapp/recent-messages.ts'
import { isSamePerson } from './whatsapp/same-person.ts'
import { sharingAsyncStorage } from './whatsapp/shared-async-storage.ts'
import { storeBeforeReceipt } from './whatsapp/store-before-receipt.ts'

export interface BaileysSettings {
  credentials: CredentialStore
  clock: Clock
  log: Logger
  /** Validated already. Default: WhatsApp's own. */
  webSocketUrl?: URL
  /** Lifetime of each QR code in ms; default 60 s for the first, 20 s for others. */
  qrTimeout?: number
  fingerprint: SecretBox['fingerprint']
  media: { read(tenant: string, mediaId: string): Promise<{ content: Readable }> }
  /** Uploads are always https; only a sandbox needs an agent. */
  uploadAgent?: Agent
  onUndecrypted?: () => void
}

/** Baileys writes message texts and keys to its log. */
const silent = pino({ level: 'silent' })

const isNoPerson = (jid: string) =>
  Boolean(isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid) || isJidBot(jid) || isJidMetaAI(jid))

const peerMs = 5000

const socketConfig = ({ webSocketUrl, qrTimeout, uploadAgent }: BaileysSettings) => ({
  logger: silent,
  // The first is the name that the phone lists among its linked devices.
  browser: ['Prosa', 'Chrome', '1.0.0'] as [string, string, string],
  // Otherwise the tenant's phone would not ring.
  markOnlineOnConnect: false,
  // Old chats must not open conversations, and syncing costs minutes.
  syncFullHistory: false,
  shouldSyncHistoryMessage: () => false,
  shouldIgnoreJid: isNoPerson,
  // Acknowledging an unreadable message would also delete the requested copy from the server.
  retryRequestDelayMs: 0,
  // The key store retries by itself; its refusals are final.
  transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
  ...(webSocketUrl && { waWebSocketUrl: webSocketUrl.href }),
  ...(qrTimeout && { qrTimeout }),
  ...(uploadAgent && { fetchAgent: uploadAgent }),
})

const isFromPeer =
  (socket: WASocket, log: Logger, connectionId: string) =>
  (peer: string | null | undefined): IsFrom =>
  async (jid) => {
    try {
      const same = isSamePerson(jid, peer ?? '', socket.signalRepository.lidMapping)
      // A dying line may never answer, and other facts wait for this one.
      return (await Promise.race([same, delay(peerMs, undefined, { ref: false })])) ?? false
    } catch (error) {
      log.warn({ connectionId, err: error }, 'sender of a receipt or retry request not identified')
      return false
    }
  }

/** For a device that could not read it; only for its recipient. */
const messageSentTo =
  (
    hooks: LineHooks,
    isFrom: ReturnType<typeof isFromPeer>,
    log: Logger,
    connectionId: string,
  ): SocketConfig['getMessage'] =>
  async ({ id, remoteJid }) => {
    const outgoing = id ? await hooks.findSent(id) : undefined
    if (!outgoing) return undefined
    if (await isFrom(remoteJid)(outgoing.toJid)) return messageToSend(outgoing)
    log.warn({ connectionId, messageId: id }, 'retry request from another person than the recipient ignored')
    return undefined
  }

/** One-to-one conversations only. */
export const baileysGateway = (settings: BaileysSettings): Gateway => {
  const { credentials, clock, log, fingerprint, media, onUndecrypted = () => undefined } = settings
  quietLibsignal()
  const cachesOfLine = lineCaches(() => Date.parse(clock.now()))
  const config = socketConfig(settings)

  return {
    async connect(tenant, hooks) {
      const { connectionId } = tenant
      const opened = await credentials.open(tenant)
      const { creds } = opened.state
      const saving = saveCredentials(opened, log, connectionId)
      const fileId = (...key: [chatJid: string, messageId: string, fromMe: boolean]) =>
        deriveId('media', connectionId, fingerprint(key.join(' '), 'id of a file'))
      const arrived = async (message: WAMessage, via: 'notify' | 'append') => {
        const found = arrivalOf(message, { via, now: new Date(clock.now()), fileId })
        if (found) await hooks.arrived(found)
      }
      const receipts = storeBeforeReceipt({ me: () => creds.me, store: arrived })
      const isFrom: ReturnType<typeof isFromPeer> = (peer) => (jid) => isFromPeer(socket, log, connectionId)(peer)(jid)
      const socket = sharingAsyncStorage(() =>
        makeWASocket({
          ...cachesOfLine(),
          ...config,
          auth: opened.state,
          makeSignalRepository: receipts.makeSignalRepository,
          getMessage: messageSentTo(hooks, isFrom, log, connectionId),
        }),
      )
      const isOffline = handleMessagesInOrder(socket, (error) =>
        log.error({ connectionId, err: error }, 'message not handled'),
      )
      receipts.watch(socket)
      limitRecentMessages(socket)
      const line = { connectionId, creds, saving, closeCredentials: opened.close, hooks, log, media, isFrom, arrived }
      listenToSocket(socket, { ...line, isStored: receipts.isStored, isOffline, onUndecrypted })
      return baileysHandle(socket, line)
    },
  }
}
