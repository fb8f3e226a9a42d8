import type { Agent } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { phone } from '@prosa/contracts/values/phone'
import type { Clock } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Logger } from '@prosa/kernel/log'
import { quietLibsignal } from '@prosa/kernel/privacy/quiet-libsignal'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import {
  type BinaryNode,
  type ConnectionState,
  type Contact,
  encryptMediaRetryRequest,
  isJidBot,
  isJidBroadcast,
  isJidGroup,
  isJidMetaAI,
  isJidNewsletter,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  makeWASocket,
  proto,
  type WAMessage,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'
import type { CredentialStore, OpenCredentials } from './credentials/credential-store.ts'
import { CredentialsClosed } from './credentials/credential-store.ts'
import type { Gateway, IsFrom, LineHooks, LinkedNumber, Outgoing, PhoneAnswer, ShownState } from './gateway.ts'
import type { DeliveryStatus } from './line.ts'
import type { Close } from './reconnect-rule.ts'
import { arrivalOf, isUndecrypted } from './whatsapp/arrival.ts'
import { findNumber } from './whatsapp/find-number.ts'
import { handleMessagesInOrder } from './whatsapp/in-order.ts'
import { lineCaches } from './whatsapp/line-caches.ts'
import { editMark, messageToSend, preparedMessage } from './whatsapp/outgoing-message.ts'
import { presenceNews } from './whatsapp/presence-news.ts'
import { receiptNews } from './whatsapp/receipt-news.ts'
import { keepFewRecentMessages } from './whatsapp/recent-messages.ts'
import { saidId } from './whatsapp/said.ts'
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

const statuses = new Map<number, DeliveryStatus>([
  [proto.WebMessageInfo.Status.DELIVERY_ACK, 'delivered'],
  [proto.WebMessageInfo.Status.READ, 'read'],
  [proto.WebMessageInfo.Status.PLAYED, 'played'],
])

const isNoPerson = (jid: string) =>
  Boolean(isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid) || isJidBot(jid) || isJidMetaAI(jid))

const chatStates = { typing: 'composing', recording: 'recording', paused: 'paused' } as const

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

const retryMilliseconds = 500
const graceMilliseconds = 1000
/** WhatsApp may be asked once whose a number is. */
const peerMilliseconds = 5000

/** Stores credentials in the order of their changes, again and again until it works or they are closed. */
const savingCredentials = (credentials: OpenCredentials, log: Logger, connectionId: string) => {
  let saved: Promise<void> = Promise.resolve()
  const save = async () => {
    for (;;) {
      try {
        return await credentials.save()
      } catch (error) {
        if (error instanceof CredentialsClosed) return
        log.warn({ connectionId, err: error }, 'credentials not stored, will try again')
        await delay(retryMilliseconds)
      }
    }
  }
  return {
    changed: () => {
      saved = saved.then(save)
    },
    settled: () => saved,
  }
}

/** WhatsApp through the unmodified Baileys: conversations between two people only. */
export const baileysGateway = (settings: BaileysSettings): Gateway => {
  const { credentials, clock, log, webSocketUrl, qrTimeout, fingerprint, media, uploadAgent, onUndecrypted } = settings
  quietLibsignal()
  const cachesOfLine = lineCaches(() => Date.parse(clock.now()))

  return {
    async connect(owner, hooks) {
      const { connectionId } = owner
      const opened = await credentials.open(owner)
      const { creds } = opened.state
      const saving = savingCredentials(opened, log, connectionId)
      const fileId = (...place: [chatJid: string, messageId: string, fromMe: boolean]) =>
        deriveId('media', connectionId, fingerprint(place.join(' '), 'id of a file'))
      const arrived = async (message: WAMessage, via: 'notify' | 'append') => {
        const found = arrivalOf(message, { via, now: new Date(clock.now()), fileId })
        if (found) await hooks.arrived(found)
      }
      const tellUndecrypted = ({ key }: WAMessage) => {
        const messageId = saidId(key.id) ?? null
        // How often the sender's phone was asked to send it again; 0 when it is asked no more, or has sent nothing to be read.
        const requests = socket.messageRetryManager?.getRetryCount(key.id ?? '')
        log.warn({ connectionId, messageId, requests }, 'message could not be decrypted')
        onUndecrypted?.()
      }
      const isFrom =
        (peer: string | null | undefined): IsFrom =>
        async (jid) => {
          try {
            const same = isSamePerson(jid, peer ?? '', socket.signalRepository.lidMapping)
            // A line that is dying may never answer, and the facts of the connection wait for this one.
            return (await Promise.race([same, delay(peerMilliseconds, undefined, { ref: false })])) ?? false
          } catch (error) {
            log.warn({ connectionId, err: error }, 'not known who asks for a message or reports on it')
            return false
          }
        }
      const ownAddress = (toJid: string) => jidNormalizedUser((isLidUser(toJid) && creds.me?.lid) || creds.me?.id)
      const receipts = storeBeforeReceipt({ me: () => creds.me, store: arrived })
      const socket = sharingAsyncStorage(() =>
        makeWASocket({
          ...cachesOfLine(),
          auth: opened.state,
          logger: silent,
          // The first is the name that the phone lists among its linked devices.
          browser: ['Prosa', 'Chrome', '1.0.0'],
          // The owner's phone keeps ringing: Prosa does not pretend that somebody sits in front of WhatsApp.
          markOnlineOnConnect: false,
          // Old chats must not open conversations, and asking for them costs the phone minutes.
          syncFullHistory: false,
          shouldSyncHistoryMessage: () => false,
          shouldIgnoreJid: isNoPerson,
          makeSignalRepository: receipts.makeSignalRepository,
          // Acknowledging an unreadable message takes the copy that comes on request off the server too, if it is there by then.
          retryRequestDelayMs: 0,
          // Keys wait for a database that is away by themselves; what they refuse is refused for good, and holds up nobody.
          transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
          getMessage: async ({ id, remoteJid }) => {
            const outgoing = id ? await hooks.sentAs(id) : undefined
            if (!outgoing) return undefined
            if (await isFrom(remoteJid)(outgoing.toJid)) return messageToSend(outgoing)
            log.warn({ connectionId, messageId: id }, 'somebody asked for a message that was not for them')
            return undefined
          },
          ...(webSocketUrl && { waWebSocketUrl: webSocketUrl.href }),
          ...(qrTimeout && { qrTimeout }),
          ...(uploadAgent && { fetchAgent: uploadAgent }),
        }),
      )
      const wasKept = handleMessagesInOrder(socket, (error) =>
        log.error({ connectionId, err: error }, 'message not handled'),
      )
      receipts.watch(socket)
      keepFewRecentMessages(socket)

      socket.ev.on('creds.update', saving.changed)
      socket.ev.on('messages.upsert', ({ messages, type }) => {
        for (const message of messages) {
          // Nearly all of them are stored already; those that the phone resends on request come only here.
          if (!receipts.isStored(message)) {
            if (isUndecrypted(message)) tellUndecrypted(message)
            arrived(message, wasKept() ? 'append' : type).catch((error) =>
              log.error({ connectionId, err: error }, 'message not recorded'),
            )
          }
          // A receipt that overtakes an echo is folded into it.
          if (message.key.fromMe) report(hooks, message.key.id, message.status, isFrom(message.key.remoteJid))
        }
      })
      // The same receipts, as they come: Baileys may hold its events back for half a minute after linking.
      socket.ws.on('CB:receipt', (stanza: BinaryNode) => {
        const news = receiptNews(stanza, creds.me)
        for (const id of news?.messageIds ?? []) if (news) hooks.reported(id, news.status, isFrom(news.from))
      })
      for (const kind of ['CB:presence', 'CB:chatstate'])
        socket.ws.on(kind, (stanza: BinaryNode) => {
          const news = presenceNews(stanza)
          if (news) hooks.presence(news.jid, news.state)
        })
      socket.ev.on('messages.media-update', (updates) => {
        for (const { key, media: answer } of updates)
          if (key.id) hooks.fileAnswered(key.id, answer ? answerOf(answer) : null)
      })
      // Chats between two people get no 'message-receipt.update'; their receipts all come here.
      socket.ev.on('messages.update', (updates) => {
        for (const { key, update } of updates)
          if (key.fromMe) report(hooks, key.id, update.status, isFrom(key.remoteJid))
      })
      // Baileys has no event for an acknowledgement without an error.
      socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Record<string, string> }) => {
        if (attrs.id) hooks.acknowledged(attrs.id, attrs.error)
      })
      socket.ev.on('connection.update', (update) => {
        if (update.qr) hooks.qrCode(update.qr)
        if (update.isNewLogin) void saving.settled().then(() => hooks.linked(linkedNumber(creds.me)))
        if (update.connection === 'open') hooks.opened(linkedNumber(creds.me))
        if (update.connection === 'close')
          // After 515 the next login needs what this one has learnt.
          void saving.settled().then(() => {
            opened.close()
            hooks.closed(closeOf(update))
          })
      })

      return {
        async prepare(outgoing: Outgoing, quotesOwn: boolean, original) {
          const message = await preparedMessage(outgoing, {
            me: ownAddress(outgoing.toJid),
            quotesOwn,
            original,
            upload: socket.waUploadToServer,
            open: async ({ id }) => (await media.read(outgoing.owner, id)).content,
          })
          return proto.Message.encode(proto.Message.fromObject(message)).finish()
        },
        async send(outgoing, { asksDevices } = { asksDevices: false }) {
          const { messageId, toJid } = outgoing
          const message = messageToSend(outgoing)
          if (!message) throw new Error('the message is not ready')
          // Baileys would send it to our own devices alone, and the server would take it. The answer is kept for the next step.
          if (isPnUser(toJid) && (await socket.getUSyncDevices([toJid], !asksDevices, false)).length === 0)
            throw new Error('nobody has this number')
          // Not sendMessage: it would fetch any address in the text to make a preview of it.
          await socket.relayMessage(toJid, message, {
            messageId,
            useUserDevicesCache: !asksDevices,
            additionalAttributes: editMark(outgoing),
          })
        },
        markRead: (remoteJid, ids) => socket.readMessages(ids.map((id) => ({ remoteJid, id, fromMe: false }))),
        askForFile: ({ chatJid, messageId, fromMe, mediaKey }) =>
          socket.sendNode(
            encryptMediaRetryRequest(
              { remoteJid: chatJid, id: messageId, fromMe },
              Buffer.from(mediaKey, 'base64'),
              creds.me?.id ?? '',
            ),
          ),
        follow: (jid) => socket.presenceSubscribe(jid),
        show: (toJid, state: ShownState) => socket.sendPresenceUpdate(chatStates[state], toJid),
        appear: (isThere) => socket.sendPresenceUpdate(isThere ? 'available' : 'unavailable'),
        requestPairingCode: (phone) => socket.requestPairingCode(phone),
        findNumber: (phone) => findNumber(socket, phone),
        logOut: () => socket.logout(),
        async close() {
          await socket.end(undefined)
          // Whoever comes next must find the credentials as they are now, but a lost database must not hold us up.
          await Promise.race([saving.settled(), delay(graceMilliseconds)])
          opened.close()
        },
      }
    },
  }
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
