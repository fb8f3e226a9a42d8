/**
 * A simulated phone: the primary device of one account. It speaks the same stanzas as a client,
 * only in process. Contacts and owners of linked numbers are both phones.
 */
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { generateMessageIDV2, proto } from '@whiskeysockets/baileys'
import type { Account, Addressing, Device, Link } from '../server/directory.ts'
import type { SandboxServer } from '../server/server.ts'
import { child, el, type Stanza, seconds, stanzaTime } from '../wire/stanza.ts'
import { attach, type FileDetails, type MediaKind, openAttachment } from './attachments.ts'
import { deleted, edited, reaction } from './corrections.ts'
import { sendFirstSync } from './first-sync.ts'
import { GroupMessages, type GroupState } from './groups.ts'
import { linkByCode, linkByQrCode } from './linking.ts'
import { peerName } from './peer-name.ts'
import { forgetOldest, Receiver } from './receiver.ts'
import { enclosedKeys } from './retries.ts'
import { SignalDevice, type SignalState } from './signal-device.ts'

/** How many sent messages can still be sent again. */
const REMEMBERED = 500

export interface IncomingMessage {
  id: string
  /** Number of the sender; the phone's own number when a linked companion sent it. */
  from: string
  /** The group, or the chat partner when a companion of this phone sent the message. */
  to?: string
  /** Text or caption; empty for other content. */
  text: string
  message: proto.IMessage
  /** When the sender wrote it, in milliseconds since 1970. */
  at: number
}

/** Somebody changed (`message`) or took back (none) what they wrote before. */
export interface Correction {
  /** Of the message that is corrected. */
  id: string
  from: string
  to?: string
  message?: proto.IMessage
  at: number
}

export interface ReceiptNews {
  id: string
  from: string
  /** Which of the account's devices: 0 is the phone itself, the others are linked. */
  device: number
  /** `delivered`, `read`, or one of the technical kinds a companion sends (`sender`, `hist_sync`, …). */
  type: string
}

interface PhoneEvents {
  message: [IncomingMessage]
  correction: [Correction]
  /** The server took a message of this phone, or refused it with an error code. */
  ack: [{ id: string; error?: string }]
  receipt: [ReceiptNews]
  retry: [ReceiptNews]
  /** `composing`, `recording` or `paused`. */
  typing: [{ from: string; state: string }]
  presence: [{ from: string; online: boolean }]
  undecryptable: [{ id: string; reason: string }]
  online: []
  offline: []
}

export type Activity = 'composing' | 'recording' | 'paused'

export interface SendOptions {
  id?: string
  addressing?: Addressing
  type?: 'text' | 'media' | 'reaction'
  /** What the message does to an earlier one: `1` edits it, `7` takes it back. */
  edit?: '1' | '7'
  /** When the phone's clock says that it was written, in milliseconds since 1970; without it, now. */
  at?: number
}

interface SentMessage {
  to: string
  addressing: Addressing
  message: proto.IMessage
}

/** What a phone keeps over a restart of the server's process, as JSON. */
export interface PhoneState {
  online: boolean
  signal: SignalState
  groups: GroupState
  sent: [id: string, sent: { to: string; addressing: Addressing; message: string }][]
  received: string[]
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
  readonly #server: SandboxServer
  readonly #groups: GroupMessages
  readonly #sent = new Map<string, SentMessage>()
  readonly #receiver: Receiver
  #incoming: Promise<void> = Promise.resolve()
  #outgoing: Promise<unknown> = Promise.resolve()

  /** @param state what state() returned before a restart; the account then has its devices already */
  constructor(server: SandboxServer, account: Account, state?: PhoneState) {
    super()
    this.#server = server
    this.account = account
    this.device = account.devices.get(0) ?? account.addDevice()
    this.signal = new SignalDevice(state?.signal)
    this.#groups = new GroupMessages(this, state?.groups)
    this.#receiver = new Receiver(server, this, this.#groups, state?.received)
    for (const [id, { to, addressing, message }] of state?.sent ?? []) {
      this.#sent.set(id, { to, addressing, message: proto.Message.decode(Buffer.from(message, 'base64')) })
    }
    if (!state) this.device.keys = this.signal.publicKeys()
    this.device.makeOneTimeKey = () => this.signal.freshPreKey()
    if (state?.online ?? true) this.goOnline()
  }

  state(): PhoneState {
    const encoded = ({ to, addressing, message }: SentMessage) => {
      const bytes = Buffer.from(proto.Message.encode(message).finish())
      return { to, addressing, message: bytes.toString('base64') }
    }
    return {
      online: this.online,
      signal: this.signal.state(),
      groups: this.#groups.state(),
      sent: [...this.#sent].map(([id, sent]) => [id, encoded(sent)]),
      received: this.#receiver.state(),
    }
  }

  get number() {
    return this.account.number
  }

  get online() {
    return this.device.link !== undefined
  }

  goOffline() {
    this.device.link = undefined
    this.submit(el('presence', { type: 'unavailable' }))
    this.emit('offline')
  }

  goOnline() {
    const link: Link = { deliver: (stanza) => this.#queue(stanza) }
    this.device.link = link
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

  /** Changes what an own message to this number or group says. Returns the id of the change. */
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

  /** What an answer says about the message that it answers. */
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
  send(to: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    if (to.endsWith('@g.us')) return this.sendToGroup(to, message, options)
    return this.#inTurn(() => this.#send(to, message, options))
  }

  sendToGroup(id: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    const group = this.#server.directory.group(id)
    if (!group) throw new Error(`no group ${id}`)
    const messageId = options.id ?? generateMessageIDV2()
    this.#remember(messageId, { to: id, addressing: 'lid', message })
    return this.#inTurn(() => this.#groups.send(group, message, { ...options, id: messageId }))
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

  /** Tells the sender that the message was read, or that its voice note was played. In a group, `group` is its id. */
  markRead({ id, from }: Pick<IncomingMessage, 'id' | 'from'>, type: 'read' | 'played' = 'read', group?: string) {
    const sender = this.#accountOf(from)
    const attrs = group ? { to: group, participant: sender.jid('lid') } : { to: sender.jid() }
    this.submit(el('receipt', { ...attrs, id, type, t: String(seconds()) }))
  }

  /** Asks to be told when this number comes and goes. */
  watchPresence(number: string) {
    this.submit(el('presence', { type: 'subscribe', to: this.#accountOf(number).jid('lid') }))
  }

  /** Pretends that the next `count` messages cannot be decrypted, so that a retry is requested. */
  failNext(count = 1) {
    this.#receiver.failures = count
  }

  async nextMessage(matches: (message: IncomingMessage) => boolean = () => true): Promise<IncomingMessage> {
    for (;;) {
      const [message] = await once(this, 'message')
      if (matches(message)) return message
    }
  }

  /** Encrypts for one device, starting a session with it when there is none. */
  async encryptFor(device: Device, message: proto.IMessage, count?: string): Promise<Stanza> {
    const peer = peerName(device)
    if (!this.signal.hasSession(peer)) {
      const bundle = this.#server.takeBundle(device)
      if (!bundle) throw new Error(`${peer} has published no keys`)
      await this.signal.startSession(peer, bundle)
    }
    const { type, ciphertext } = await this.signal.encrypt(peer, message)
    return el('enc', { v: '2', type, count }, ciphertext)
  }

  /**
   * A peer could not decrypt: start over with the keys it sent, or with a fresh bundle. In turn with what is being sent, which
   * would otherwise find the new session, or not, in the middle of its work.
   */
  resend(receipt: Stanza, peer: Device): Promise<void> {
    return this.#inTurn(() => this.#resend(receipt, peer))
  }

  async #resend(receipt: Stanza, peer: Device) {
    const { id = '' } = receipt.attrs
    const original = this.#sent.get(id)
    if (!original) return
    // The old session stays readable: the peer may have written with it before it noticed.
    const keys = enclosedKeys(receipt) ?? this.#server.takeBundle(peer)
    if (keys) await this.signal.startSession(peerName(peer), keys)
    const count = child(receipt, 'retry')?.attrs.count
    if (original.to.endsWith('@g.us')) return this.#groups.resend(original.to, id, original.message, peer, count)
    const enc = await this.encryptFor(peer, original.message, count)
    this.submit(el('message', { to: peer.jid(original.addressing), id, type: 'text' }, [enc]))
  }

  /** Messages leave in the order in which they were given. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#outgoing.then(work)
    this.#outgoing = turn.catch(() => undefined) // the caller gets the failure; the next one starts afresh
    return turn
  }

  async #send(to: string, message: proto.IMessage, options: SendOptions): Promise<string> {
    const { id = generateMessageIDV2(), addressing = 'lid', type = 'text', edit, at } = options
    const recipient = this.#accountOf(to)
    this.#remember(id, { to, message, addressing })
    const chat = recipient.jid(addressing)
    const copy: proto.IMessage = { deviceSentMessage: { destinationJid: chat, message } }
    const entries: Stanza[] = []
    for (const device of [...recipient.devices.values(), ...this.companions()]) {
      if (device === this.device || !device.keys) continue // a companion without keys is still logging in
      const enc = await this.encryptFor(device, device.account === recipient ? message : copy)
      entries.push(el('to', { jid: device.jid(addressing) }, [enc]))
    }
    this.submit(el('message', { to: chat, id, type, edit, t: stanzaTime(at) }, [el('participants', {}, entries)]))
    return id
  }

  #remember(id: string, sent: SentMessage) {
    this.#sent.set(id, sent)
    forgetOldest(this.#sent, REMEMBERED)
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

  #queue(stanza: Stanza) {
    this.#incoming = this.#incoming.then(async () => {
      if (this.latencyMs) await delay(this.latencyMs)
      if (this.online) await this.#receiver.receive(stanza) // otherwise it stays in the inbox
    })
  }
}
