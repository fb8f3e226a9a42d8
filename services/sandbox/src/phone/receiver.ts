import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, hkdf, normalizeMessageContent, proto } from '@whiskeysockets/baileys'
import { addressingOf, type Device } from '../server/directory.ts'
import type { MediaHost } from '../server/media.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'
import { bytes, child, el, firstChild, type Stanza, seconds } from '../wire/stanza.ts'
import { type FileMessage, fileOf } from './attachments.ts'
import type { GroupMessages } from './groups.ts'
import type { Network, OwnPhone } from './own-phone.ts'
import { peerName } from './peer-name.ts'
import { retryReceipt } from './retries.ts'
import type { CipherType } from './signal-device.ts'

const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType

const asksForFile = ({ attrs }: Stanza): boolean => attrs.type === 'server-error'

/** Where the file is now, encrypted with its own key, or that the phone has none. */
async function mediaRetryAnswer(
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

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type
const MAX_RETRIES = 5
/** Received messages whose duplicates are recognized. */
const MAX_KNOWN = 1000

export function forgetOldest<K>(
  entries: { size: number; keys(): Iterable<K>; delete(key: K): boolean },
  limit: number,
) {
  for (const key of entries.keys()) {
    if (entries.size <= limit) return
    entries.delete(key)
  }
}

const captionOf = ({ imageMessage, videoMessage, documentMessage }: proto.IMessage) =>
  imageMessage?.caption || videoMessage?.caption || documentMessage?.caption || ''

export class Receiver {
  failures = 0
  readonly #server: Network
  readonly #phone: OwnPhone
  readonly #groups: GroupMessages
  readonly #known: Map<string, true>
  readonly #retries = new Map<string, number>()
  readonly #files = new Map<string, FileMessage>()

  constructor(server: Network, phone: OwnPhone, groups: GroupMessages, changes: StateChanges, known: string[] = []) {
    this.#server = server
    this.#phone = phone
    this.#groups = groups
    this.#known = new RecordedMap<string, true>(changes, Boolean)
    for (const key of known) this.#known.set(key, true)
  }

  async receive(stanza: Stanza) {
    const { tag, attrs } = stanza
    if (tag === 'message') await this.#onMessage(stanza)
    else if (tag === 'receipt') await this.#onReceipt(stanza)
    else if (tag === 'notification') this.#settle(stanza)
    else if (tag === 'ack' && attrs.class === 'message')
      this.#phone.emit('ack', { id: attrs.id ?? '', error: attrs.error })
    else if (tag === 'chatstate') this.#onTyping(stanza)
    else if (tag === 'presence') this.#onPresence(stanza)
  }

  /** Acknowledges only after listeners were notified: an interrupted stanza is delivered again. */
  async #onMessage(stanza: Stanza) {
    const { id = '', from, participant } = stanza.attrs
    const sender = this.#server.directory.device(participant ?? from)
    if (!sender || !child(stanza, 'enc')) return this.#settle(stanza)
    const key = `${sender.account.number}/${id}`
    if (!this.#known.has(key)) {
      let content: proto.IMessage | undefined
      try {
        content = await this.#read(stanza, sender)
      } catch (error) {
        return this.#askAgain(stanza, key, error)
      }
      this.#known.set(key, true)
      forgetOldest(this.#known, MAX_KNOWN)
      this.#retries.delete(key)
      if (content) this.#notify(stanza, sender, content)
    }
    this.#settle(stanza)
    this.#phone.submit(this.#confirmation(stanza, sender))
  }

  async #read(stanza: Stanza, sender: Device): Promise<proto.IMessage | undefined> {
    if (this.failures > 0) {
      this.failures--
      throw new Error('asked to fail')
    }
    if (stanza.attrs.participant) return this.#groups.read(stanza, stanza.attrs.from ?? '', sender)
    const enc = child(stanza, 'enc')
    const message = await this.#phone.signal.decrypt(peerName(sender), enc?.attrs.type as CipherType, bytes(enc))
    const content = message.deviceSentMessage?.message ?? message
    return content.senderKeyDistributionMessage ? undefined : content
  }

  #notify({ attrs: { id = '', from, participant, recipient, t } }: Stanza, sender: Device, message: proto.IMessage) {
    const ownCopy = sender.account === this.#phone.account
    const partner = ownCopy ? this.#server.directory.account(recipient)?.number : undefined
    const about = { from: sender.account.number, to: participant ? from : partner, at: Number(t) * 1000 }
    const content = normalizeMessageContent(message) ?? message
    const { type, key, editedMessage } = content.protocolMessage ?? {}
    if (key?.id && type === MESSAGE_EDIT) {
      this.#phone.emit('correction', { ...about, id: key.id, message: editedMessage ?? {} })
    } else if (key?.id && type === REVOKE) {
      this.#phone.emit('correction', { ...about, id: key.id })
    } else if (!content.protocolMessage) {
      this.#keepFile(id, content)
      const text = content.conversation || content.extendedTextMessage?.text || captionOf(content)
      this.#phone.emit('message', { ...about, id, text, message })
    }
  }

  #keepFile(id: string, content: proto.IMessage) {
    const file = fileOf(content)
    if (!file) return
    this.#files.set(id, file)
    forgetOldest(this.#files, MAX_KNOWN)
  }

  deleteFiles() {
    this.#files.clear()
  }

  #confirmation({ attrs: { id, from = '', participant, recipient } }: Stanza, sender: Device): Stanza {
    if (participant) return el('receipt', { to: from, participant, id })
    const addressing = addressingOf(from)
    return sender.account === this.#phone.account
      ? el('receipt', { to: sender.jid(addressing), id, type: 'sender', recipient })
      : el('receipt', { to: sender.account.jid(addressing), id })
  }

  #askAgain(stanza: Stanza, key: string, error: unknown) {
    const count = (this.#retries.get(key) ?? 0) + 1
    this.#retries.set(key, count)
    this.#phone.emit('undecryptable', { id: stanza.attrs.id ?? '', reason: String(error) })
    this.#settle(stanza)
    if (count <= MAX_RETRIES) this.#phone.submit(retryReceipt(stanza, this.#phone.signal.registrationId, count))
  }

  async #onReceipt(stanza: Stanza) {
    const { id, from, participant, type = 'delivered' } = stanza.attrs
    const sender = this.#server.directory.device(participant ?? from)
    if (sender && id) {
      const update = { id, from: sender.account.number, device: sender.id, type }
      if (type === 'retry') {
        this.#phone.emit('retry', update)
        await this.#phone.resend(stanza, sender)
      } else if (asksForFile(stanza) && sender.account === this.#phone.account) {
        const from = this.#phone.account.jid('pn')
        this.#server.deliver(sender, await mediaRetryAnswer(this.#server.media, stanza, this.#files.get(id), from))
      } else {
        this.#phone.emit('receipt', update)
      }
    }
    this.#settle(stanza)
  }

  #onTyping(stanza: Stanza) {
    const sender = this.#server.directory.account(stanza.attrs.from)
    const state = firstChild(stanza)
    const shown = state?.attrs.media === 'audio' ? 'recording' : (state?.tag ?? '')
    if (sender) this.#phone.emit('typing', { from: sender.number, state: shown })
  }

  #onPresence({ attrs: { from, type } }: Stanza) {
    const sender = this.#server.directory.account(from)
    if (sender) this.#phone.emit('presence', { from: sender.number, online: type !== 'unavailable' })
  }

  #settle({ tag, attrs: { id, from, participant, type } }: Stanza) {
    this.#phone.submit(el('ack', { class: tag, id, to: from, participant, type }))
  }
}
