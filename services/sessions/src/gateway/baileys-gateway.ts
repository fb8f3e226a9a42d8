import type { Agent } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/observability/log'
import { quietLibsignal } from '@prosa/kernel/privacy/quiet-libsignal'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
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
import { keepFewRecentMessages } from './whatsapp/recent-messages.ts'
import { isSamePerson } from './whatsapp/same-person.ts'
import { sharingAsyncStorage } from './whatsapp/shared-async-storage.ts'
import { storeBeforeReceipt } from './whatsapp/store-before-receipt.ts'

export interface BaileysSettings {
  credentials: CredentialStore
  clock: Clock
  log: Logger
  /** Already checked; without it WhatsApp's own. */
  webSocketUrl?: URL
  /** Milliseconds that each QR code lives; without it 60 s for the first and 20 s for the others, as WhatsApp does. */
  qrTimeout?: number
  /** Makes ids of what must not be guessed from them. */
  fingerprint: SecretBox['fingerprint']
  /** Files to send, as they are stored. Throws `FileMissing`. */
  media: { read(owner: string, mediaId: string): Promise<{ content: Readable }> }
  /** How uploads get to where WhatsApp wants them, which are always https; only a sandbox needs one. */
  uploadAgent?: Agent
  /** Called whenever a message came and could not be decrypted. */
  onUndecrypted?: () => void
}

/** Baileys writes message texts and keys to its log. */
const silent = pino({ level: 'silent' })

const isNoPerson = (jid: string) =>
  Boolean(isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid) || isJidBot(jid) || isJidMetaAI(jid))

/** WhatsApp may be asked once whose a number is. */
const peerMs = 5000

/** The same for every socket. */
const socketConfig = ({ webSocketUrl, qrTimeout, uploadAgent }: BaileysSettings) => ({
  logger: silent,
  // The first is the name that the phone lists among its linked devices.
  browser: ['Prosa', 'Chrome', '1.0.0'] as [string, string, string],
  // The owner's phone keeps ringing: Prosa does not pretend that somebody sits in front of WhatsApp.
  markOnlineOnConnect: false,
  // Old chats must not open conversations, and asking for them costs the phone minutes.
  syncFullHistory: false,
  shouldSyncHistoryMessage: () => false,
  shouldIgnoreJid: isNoPerson,
  // Acknowledging an unreadable message takes the copy that comes on request off the server too, if it is there by then.
  retryRequestDelayMs: 0,
  // Keys wait for a database that is away by themselves; what they refuse is refused for good, and holds up nobody.
  transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
  ...(webSocketUrl && { waWebSocketUrl: webSocketUrl.href }),
  ...(qrTimeout && { qrTimeout }),
  ...(uploadAgent && { fetchAgent: uploadAgent }),
})

/** Whether an address belongs to the same person as `peer`. */
const isFromPeer =
  (socket: WASocket, log: Logger, connectionId: string) =>
  (peer: string | null | undefined): IsFrom =>
  async (jid) => {
    try {
      const same = isSamePerson(jid, peer ?? '', socket.signalRepository.lidMapping)
      // A line that is dying may never answer, and the facts of the connection wait for this one.
      return (await Promise.race([same, delay(peerMs, undefined, { ref: false })])) ?? false
    } catch (error) {
      log.warn({ connectionId, err: error }, 'not known who asks for a message or reports on it')
      return false
    }
  }

/** What was sent, for a device that could not read it and asks again: only where it went to that person. */
const messageSentTo =
  (
    hooks: LineHooks,
    isFrom: ReturnType<typeof isFromPeer>,
    log: Logger,
    connectionId: string,
  ): SocketConfig['getMessage'] =>
  async ({ id, remoteJid }) => {
    const outgoing = id ? await hooks.sentAs(id) : undefined
    if (!outgoing) return undefined
    if (await isFrom(remoteJid)(outgoing.toJid)) return messageToSend(outgoing)
    log.warn({ connectionId, messageId: id }, 'somebody asked for a message that was not for them')
    return undefined
  }

/** WhatsApp through the unmodified Baileys: conversations between two people only. */
export const baileysGateway = (settings: BaileysSettings): Gateway => {
  const { credentials, clock, log, fingerprint, media, onUndecrypted = () => undefined } = settings
  quietLibsignal()
  const cachesOfLine = lineCaches(() => Date.parse(clock.now()))
  const config = socketConfig(settings)

  return {
    async connect(owner, hooks) {
      const { connectionId } = owner
      const opened = await credentials.open(owner)
      const { creds } = opened.state
      const saving = saveCredentials(opened, log, connectionId)
      const fileId = (...place: [chatJid: string, messageId: string, fromMe: boolean]) =>
        deriveId('media', connectionId, fingerprint(place.join(' '), 'id of a file'))
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
      const wasKept = handleMessagesInOrder(socket, (error) =>
        log.error({ connectionId, err: error }, 'message not handled'),
      )
      receipts.watch(socket)
      keepFewRecentMessages(socket)
      const line = { connectionId, creds, saving, closeCredentials: opened.close, hooks, log, media, isFrom, arrived }
      listenToSocket(socket, { ...line, isStored: receipts.isStored, wasKept, onUndecrypted })
      return baileysHandle(socket, line)
    },
  }
}
