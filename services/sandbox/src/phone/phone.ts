/**
 * A simulated phone: the primary device of one account. It speaks the same stanzas as a client,
 * only in process. Contacts and owners of linked numbers are both phones.
 */
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { generateMessageIDV2, proto } from '@whiskeysockets/baileys'
import type { Account, Addressing, Device, Link } from '../server/directory.ts'
import type { SandboxServer } from '../server/server.ts'
import { child, el, type Stanza, seconds } from '../wire/stanza.ts'
import { attach, type FileDetails, type MediaKind, openAttachment } from './attachments.ts'
import { sendFirstSync } from './first-sync.ts'
import { GroupMessages, type GroupState } from './groups.ts'
import { linkByCode, linkByQrCode } from './linking.ts'
import { peerName } from './peer-name.ts'
import { forgetOldest, Receiver } from './receiver.ts'
import { enclosedKeys } from './retries.ts'
import { SignalDevice, type SignalState } from './signal-device.ts'

const PRE_KEYS = 50
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
  /** The server took a message of this phone. */
  ack: [{ id: string }]
  receipt: [ReceiptNews]
  retry: [ReceiptNews]
  typing: [{ from: string; state: string }]
  undecryptable: [{ id: string; reason: string }]
  online: []
  offline: []
}

export interface SendOptions {
  id?: string
  addressing?: Addressing
  type?: 'text' | 'media' | 'reaction'
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
    if (!state) {
      this.device.keys = this.signal.publicKeys()
      for (const [id, key] of this.signal.freshPreKeys(PRE_KEYS)) this.device.oneTimeKeys.set(id, key)
    }
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

  async sendMedia(to: string, kind: MediaKind, data: Buffer, details: FileDetails, options: SendOptions = {}) {
    const message = await attach(this.#server.media, kind, data, details)
    return this.send(to, message, { type: 'media', ...options })
  }

  /** Encrypts for every device of the recipient and for our own companions. Returns the message id. */
  send(to: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    return this.#inTurn(() => this.#send(to, message, options))
  }

  sendToGroup(id: string, message: proto.IMessage): Promise<string> {
    const group = this.#server.directory.group(id)
    if (!group) throw new Error(`no group ${id}`)
    return this.#inTurn(() => this.#groups.send(group, message))
  }

  /** Sends something only this account's own companion gets to see, e.g. keys and history. */
  async sendPeer(companion: Device, message: proto.IMessage) {
    const enc = await this.encryptFor(companion, message)
    const attrs = { to: companion.jid(), id: generateMessageIDV2(), type: 'protocol', category: 'peer' }
    this.submit(el('message', attrs, [enc]))
  }

  /** Decrypted content of a received image, video, audio or document. */
  download(message: proto.IMessage): Promise<Buffer> {
    return openAttachment(this.#server.media, message)
  }

  /** Whether the number has an account, so that something can be sent to it. */
  knows(number: string): boolean {
    return this.#server.directory.byNumber(number) !== undefined
  }

  /** Shows "typing…" or stops showing it. */
  setTyping(to: string, typing: boolean, addressing: Addressing = 'lid') {
    this.submit(el('chatstate', { to: this.#accountOf(to).jid(addressing) }, [el(typing ? 'composing' : 'paused')]))
  }

  markRead({ id, from }: Pick<IncomingMessage, 'id' | 'from'>) {
    this.submit(el('receipt', { to: this.#accountOf(from).jid(), id, type: 'read', t: String(seconds()) }))
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

  /** A peer could not decrypt: start over with the keys it sent, or with a fresh bundle. */
  async resend(receipt: Stanza, peer: Device) {
    const { id = '' } = receipt.attrs
    const original = this.#sent.get(id)
    if (!original) return
    // The old session stays readable: the peer may have written with it before it noticed.
    const keys = enclosedKeys(receipt) ?? this.#server.takeBundle(peer)
    if (keys) await this.signal.startSession(peerName(peer), keys)
    const enc = await this.encryptFor(peer, original.message, child(receipt, 'retry')?.attrs.count)
    this.submit(el('message', { to: peer.jid(original.addressing), id, type: 'text' }, [enc]))
  }

  /** Messages leave in the order in which they were given. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#outgoing.then(work)
    this.#outgoing = turn.catch(() => undefined) // the caller gets the failure; the next one starts afresh
    return turn
  }

  async #send(to: string, message: proto.IMessage, options: SendOptions): Promise<string> {
    const { id = generateMessageIDV2(), addressing = 'lid', type = 'text' } = options
    const recipient = this.#accountOf(to)
    this.#sent.set(id, { to, message, addressing })
    forgetOldest(this.#sent, REMEMBERED)
    const chat = recipient.jid(addressing)
    const copy: proto.IMessage = { deviceSentMessage: { destinationJid: chat, message } }
    const entries: Stanza[] = []
    for (const device of [...recipient.devices.values(), ...this.companions()]) {
      if (device === this.device || !device.keys) continue // a companion without keys is still logging in
      const enc = await this.encryptFor(device, device.account === recipient ? message : copy)
      entries.push(el('to', { jid: device.jid(addressing) }, [enc]))
    }
    this.submit(el('message', { to: chat, id, type }, [el('participants', {}, entries)]))
    return id
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
