/**
 * A simulated phone: the primary device of one account. It speaks the same stanzas as a client,
 * only in process. Contacts and owners of linked numbers are both phones.
 */
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { generateMessageIDV2, type proto } from '@whiskeysockets/baileys'
import type { Account, Addressing, Device, Link } from '../server/directory.ts'
import type { StateChanges } from '../server/state-changes.ts'
import { el, type Stanza, seconds } from '../wire/stanza.ts'
import { attach, type FileDetails, type MediaKind, openAttachment } from './attachments.ts'
import { deleted, edited, reaction } from './corrections.ts'
import { sendFirstSync } from './first-sync.ts'
import { GroupMessages } from './groups.ts'
import { linkByCode, linkByQrCode } from './linking.ts'
import type { Network } from './own-phone.ts'
import type { IncomingMessage, PhoneEvents } from './phone-events.ts'
import type { PhoneState } from './phone-state.ts'
import { Receiver } from './receiver.ts'
import type { SendOptions } from './send-options.ts'
import { Sender } from './sender.ts'
import { SignalDevice } from './signal-device.ts'

export type Activity = 'composing' | 'recording' | 'paused'

/** The server of a phone, which also learns what the phone could not receive. */
interface HomeNetwork extends Network {
  receivingFailed(phone: Phone, stanza: Stanza, error: unknown): void
}

export class Phone extends EventEmitter<PhoneEvents> {
  readonly account: Account
  readonly device: Device
  readonly signal: SignalDevice
  /** Past messages that a newly linked companion receives through history sync. */
  readonly history: proto.IConversation[] = []
  /** Whether a newly linked companion is sent an app-state key and the recent chats. */
  syncsCompanions = true
  /** Thinking time before each reaction. With 0, Baileys folds our receipts into a single event. */
  latencyMs = 25
  readonly #server: HomeNetwork
  readonly #changes: StateChanges
  readonly #groups: GroupMessages
  readonly #receiver: Receiver
  readonly #sender: Sender
  #incoming: Promise<void> = Promise.resolve()

  /** @param state what was recorded before a restart; the account then has its devices already */
  constructor(server: HomeNetwork, account: Account, state?: PhoneState) {
    super()
    this.#server = server
    this.account = account
    this.device = account.devices.get(0) ?? account.addDevice()
    this.signal = new SignalDevice(account.changes.at('phone'), state?.signal)
    const changes = account.changes.at('phone')
    this.#changes = changes
    this.#groups = new GroupMessages(this, changes.at('groups'), state?.groups)
    this.#receiver = new Receiver(server, this, this.#groups, changes.at('received'), state?.received)
    this.#sender = new Sender(server, this, this.#groups, changes.at('sent'), state?.sent)
    if (!state) this.device.keys = this.signal.publicKeys()
    this.device.makeOneTimeKey = () => this.signal.freshPreKey()
    this.#recordOnline()
    if (state?.online ?? true) this.goOnline()
  }

  get number() {
    return this.account.number
  }

  get online() {
    return this.device.link !== undefined
  }

  goOffline() {
    this.device.link = undefined
    this.#recordOnline()
    this.submit(el('presence', { type: 'unavailable' }))
    this.emit('offline')
  }

  goOnline() {
    const link: Link = { deliver: (stanza) => this.#queue(stanza) }
    this.device.link = link
    this.#recordOnline()
    for (const stanza of this.device.inbox.values()) link.deliver(stanza)
    this.submit(el('presence', { type: 'available' }))
    this.emit('online')
  }

  /** Scans the QR code a client shows and links that client as a companion. Throws UnusableQrCode. */
  scan(qr: string): Promise<Device> {
    return linkByQrCode(this.#server, this, qr)
  }

  /** Types in the pairing code a client shows after requestPairingCode(number). Throws when it is wrong. */
  enterCode(code: string): Promise<Device> {
    return linkByCode(this.#server, this, code)
  }

  unlink(device: Device) {
    this.#server.unlink(device)
  }

  companions(): Device[] {
    return [...this.account.devices.values()].filter((device) => device !== this.device)
  }

  /** A companion logged in; the first time it gets keys and chats. */
  async greet(companion: Device) {
    if (!companion.awaitsFirstSync) return
    if (this.syncsCompanions) await sendFirstSync(this, companion)
    companion.awaitsFirstSync = false
  }

  /** Hands a stanza of this phone to the message switch. */
  submit(stanza: Stanza) {
    this.#server.submit(this.device, stanza)
  }

  sendText(to: string, text: string, options: SendOptions = {}) {
    return this.send(to, { conversation: text }, options)
  }

  /** Stores a file encrypted; what comes back can be sent to any number of people. */
  attach(kind: MediaKind, data: Buffer, details: FileDetails): Promise<proto.IMessage> {
    return attach(this.#server.media, kind, data, details)
  }

  async sendMedia(to: string, kind: MediaKind, data: Buffer, details: FileDetails, options: SendOptions = {}) {
    return this.send(to, await this.attach(kind, data, details), { type: 'media', ...options })
  }

  /** Changes the text of an own message to this number or group. Returns the id of the change. */
  editMessage(to: string, id: string, text: string, options: SendOptions = {}) {
    const key = this.#keyOf(to, { id, fromMe: true })
    return this.send(to, edited(key, text, options.at ?? Date.now()), { ...options, edit: '1' })
  }

  /** Takes an own message back for everyone. Returns the id of the deletion. */
  deleteMessage(to: string, id: string, options: SendOptions = {}) {
    return this.send(to, deleted(this.#keyOf(to, { id, fromMe: true })), { ...options, edit: '7' })
  }

  /** Reacts to a message of the chat; null takes the reaction back. `from` is the number of its author. */
  react(to: string, { id, from }: { id: string; from: string }, emoji: string | null, options: SendOptions = {}) {
    const key = this.#keyOf(to, { id, fromMe: from === this.number, from })
    return this.send(to, reaction(key, emoji, options.at ?? Date.now()), { ...options, type: 'reaction' })
  }

  /** What an answer holds about the message that it answers. */
  quote({ id, from, text }: { id: string; from: string; text: string }): proto.IContextInfo {
    const participant = from === this.number ? this.account.jid('lid') : this.#accountOf(from).jid('lid')
    return { stanzaId: id, participant, quotedMessage: { conversation: text } }
  }

  /** Refuses what this number writes from now on, or takes it again. Throws when it has no account. */
  setBlocked(number: string, blocked: boolean) {
    this.#server.setBlocked(this.account, this.#accountOf(number), blocked)
  }

  blocked(): string[] {
    return [...this.account.blocked].map(({ number }) => number)
  }

  /** Encrypts for every device of the recipient, a number or a group, and for our own companions. Returns the message id. */
  async send(to: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    if (to.endsWith('@g.us')) return this.sendToGroup(to, message, options)
    return this.#sender.send(this.#accountOf(to), message, options)
  }

  sendToGroup(id: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    const group = this.#server.directory.group(id)
    if (!group) throw new Error(`no group ${id}`)
    return this.#sender.sendToGroup(group, message, options)
  }

  /** Sends something only this account's own companion gets to see, e.g. keys and history. */
  async sendPeer(companion: Device, message: proto.IMessage) {
    const enc = await this.encryptFor(companion, message)
    const attrs = { to: companion.jid(), id: generateMessageIDV2(), type: 'protocol', category: 'peer' }
    this.submit(el('message', attrs, [enc]))
  }

  /** Decrypted content of an image, video, audio, document or sticker. */
  download(message: proto.IMessage): Promise<Buffer> {
    return openAttachment(this.#server.media, message)
  }

  /** Whether the number has an account, so that something can be sent to it. */
  knows(number: string): boolean {
    return this.#server.directory.byNumber(number) !== undefined
  }

  /** Whose jid this is, of either kind. */
  numberOf(jid: string | undefined): string | undefined {
    return this.#server.directory.account(jid)?.number
  }

  /** Shows "typing…" or stops showing it. */
  setTyping(to: string, typing: boolean, addressing: Addressing = 'lid') {
    this.setActivity(to, typing ? 'composing' : 'paused', addressing)
  }

  /** Shows what the person does in the chat right now: writes, records a voice note, or neither. */
  setActivity(to: string, activity: Activity, addressing: Addressing = 'lid') {
    const state = activity === 'recording' ? el('composing', { media: 'audio' }) : el(activity)
    this.submit(el('chatstate', { to: this.#accountOf(to).jid(addressing) }, [state]))
  }

  /** Notifies the sender that the message was read, or that its voice note was played. In a group, `group` is its id. */
  markRead({ id, from }: Pick<IncomingMessage, 'id' | 'from'>, type: 'read' | 'played' = 'read', group?: string) {
    const sender = this.#accountOf(from)
    const attrs = group ? { to: group, participant: sender.jid('lid') } : { to: sender.jid() }
    this.submit(el('receipt', { ...attrs, id, type, t: String(seconds()) }))
  }

  /** Asks to be notified when this number comes and goes. */
  watchPresence(number: string) {
    this.submit(el('presence', { type: 'subscribe', to: this.#accountOf(number).jid('lid') }))
  }

  /** Pretends that the next `count` messages cannot be decrypted, so that a retry is requested. */
  failNext(count = 1) {
    this.#receiver.failures = count
  }

  /** The person deletes all files that came: a companion that misses one cannot have it any more. */
  deleteFiles() {
    this.#receiver.deleteFiles()
  }

  async nextMessage(matches: (message: IncomingMessage) => boolean = () => true): Promise<IncomingMessage> {
    for (;;) {
      const [message] = await once(this, 'message')
      if (matches(message)) return message
    }
  }

  /** Encrypts for one device, starting a session with it when there is none. */
  encryptFor(device: Device, message: proto.IMessage, count?: string): Promise<Stanza> {
    return this.#sender.encryptFor(device, message, count)
  }

  /** Sends what a peer could not decrypt once more, over a session that starts anew. */
  resend(receipt: Stanza, peer: Device): Promise<void> {
    return this.#sender.resend(receipt, peer)
  }

  #recordOnline() {
    this.#changes.set('online', () => this.online)
  }

  /** How this phone names a message of a chat. */
  #keyOf(chat: string, { id, fromMe, from }: { id: string; fromMe: boolean; from?: string }): proto.IMessageKey {
    if (!chat.endsWith('@g.us')) return { remoteJid: this.#accountOf(chat).jid('lid'), fromMe, id }
    const author = fromMe || from === undefined ? this.account : this.#accountOf(from)
    return { remoteJid: chat, fromMe, id, participant: author.jid('lid') }
  }

  #accountOf(number: string): Account {
    const account = this.#server.directory.byNumber(number)
    if (!account) throw new Error(`${number} has no account`)
    return account
  }

  /**
   * What fails while it is being received stays in the inbox, as what a crash interrupts; the next one is received all
   * the same.
   */
  #queue(stanza: Stanza) {
    const receive = async () => {
      if (this.latencyMs) await delay(this.latencyMs)
      if (this.online) await this.#receiver.receive(stanza) // otherwise it stays in the inbox
    }
    this.#incoming = this.#incoming
      .then(receive)
      .catch((error: unknown) => this.#server.receivingFailed(this, stanza, error))
  }
}
