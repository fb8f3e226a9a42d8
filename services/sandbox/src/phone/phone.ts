/** The primary device of an account, in process; it speaks the same stanzas as a client. */
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

interface HomeNetwork extends Network {
  receivingFailed(phone: Phone, stanza: Stanza, error: unknown): void
}

export class Phone extends EventEmitter<PhoneEvents> {
  readonly account: Account
  readonly device: Device
  readonly signal: SignalDevice
  readonly history: proto.IConversation[] = []
  /** Sends an app-state key and recent chats to new companions. */
  syncsCompanions = true
  /** Delay before each reaction. With 0, Baileys merges our receipts into one event. */
  latencyMs = 25
  readonly #server: HomeNetwork
  readonly #changes: StateChanges
  readonly #groups: GroupMessages
  readonly #receiver: Receiver
  readonly #sender: Sender
  #incoming: Promise<void> = Promise.resolve()

  /** @param state recorded before a restart; the account then has its devices */
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

  /** Throws UnusableQrCode. */
  scan(qr: string): Promise<Device> {
    return linkByQrCode(this.#server, this, qr)
  }

  /** Throws when the code is wrong. */
  enterCode(code: string): Promise<Device> {
    return linkByCode(this.#server, this, code)
  }

  unlink(device: Device) {
    this.#server.unlink(device)
  }

  companions(): Device[] {
    return [...this.account.devices.values()].filter((device) => device !== this.device)
  }

  async greet(companion: Device) {
    if (!companion.awaitsFirstSync) return
    if (this.syncsCompanions) await sendFirstSync(this, companion)
    companion.awaitsFirstSync = false
  }

  submit(stanza: Stanza) {
    this.#server.submit(this.device, stanza)
  }

  sendText(to: string, text: string, options: SendOptions = {}) {
    return this.send(to, { conversation: text }, options)
  }

  /** The result can be sent to any number of people. */
  attach(kind: MediaKind, data: Buffer, details: FileDetails): Promise<proto.IMessage> {
    return attach(this.#server.media, kind, data, details)
  }

  async sendMedia(to: string, kind: MediaKind, data: Buffer, details: FileDetails, options: SendOptions = {}) {
    return this.send(to, await this.attach(kind, data, details), { type: 'media', ...options })
  }

  /** Returns the id of the edit. */
  editMessage(to: string, id: string, text: string, options: SendOptions = {}) {
    const key = this.#keyOf(to, { id, fromMe: true })
    return this.send(to, edited(key, text, options.at ?? Date.now()), { ...options, edit: '1' })
  }

  /** Deletes for everyone. Returns the id of the deletion. */
  deleteMessage(to: string, id: string, options: SendOptions = {}) {
    return this.send(to, deleted(this.#keyOf(to, { id, fromMe: true })), { ...options, edit: '7' })
  }

  /** `emoji` null removes the reaction. `from` is the author's number. */
  react(to: string, { id, from }: { id: string; from: string }, emoji: string | null, options: SendOptions = {}) {
    const key = this.#keyOf(to, { id, fromMe: from === this.number, from })
    return this.send(to, reaction(key, emoji, options.at ?? Date.now()), { ...options, type: 'reaction' })
  }

  quote({ id, from, text }: { id: string; from: string; text: string }): proto.IContextInfo {
    const participant = from === this.number ? this.account.jid('lid') : this.#accountOf(from).jid('lid')
    return { stanzaId: id, participant, quotedMessage: { conversation: text } }
  }

  /** Throws when the number has no account. */
  setBlocked(number: string, blocked: boolean) {
    this.#server.setBlocked(this.account, this.#accountOf(number), blocked)
  }

  blocked(): string[] {
    return [...this.account.blocked].map(({ number }) => number)
  }

  /** `to` is a number or group; also encrypts for our companions. Returns the message id. */
  async send(to: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    if (to.endsWith('@g.us')) return this.sendToGroup(to, message, options)
    return this.#sender.send(this.#accountOf(to), message, options)
  }

  sendToGroup(id: string, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    const group = this.#server.directory.group(id)
    if (!group) throw new Error(`no group ${id}`)
    return this.#sender.sendToGroup(group, message, options)
  }

  async sendPeer(companion: Device, message: proto.IMessage) {
    const enc = await this.encryptFor(companion, message)
    const attrs = { to: companion.jid(), id: generateMessageIDV2(), type: 'protocol', category: 'peer' }
    this.submit(el('message', attrs, [enc]))
  }

  download(message: proto.IMessage): Promise<Buffer> {
    return openAttachment(this.#server.media, message)
  }

  knows(number: string): boolean {
    return this.#server.directory.byNumber(number) !== undefined
  }

  numberOf(jid: string | undefined): string | undefined {
    return this.#server.directory.account(jid)?.number
  }

  setTyping(to: string, typing: boolean, addressing: Addressing = 'lid') {
    this.setActivity(to, typing ? 'composing' : 'paused', addressing)
  }

  setActivity(to: string, activity: Activity, addressing: Addressing = 'lid') {
    const state = activity === 'recording' ? el('composing', { media: 'audio' }) : el(activity)
    this.submit(el('chatstate', { to: this.#accountOf(to).jid(addressing) }, [state]))
  }

  /** `played` is for voice notes; `group` is the group's id. */
  markRead({ id, from }: Pick<IncomingMessage, 'id' | 'from'>, type: 'read' | 'played' = 'read', group?: string) {
    const sender = this.#accountOf(from)
    const attrs = group ? { to: group, participant: sender.jid('lid') } : { to: sender.jid() }
    this.submit(el('receipt', { ...attrs, id, type, t: String(seconds()) }))
  }

  watchPresence(number: string) {
    this.submit(el('presence', { type: 'subscribe', to: this.#accountOf(number).jid('lid') }))
  }

  /** The next `count` messages fail to decrypt, so that a retry is requested. */
  failNext(count = 1) {
    this.#receiver.failures = count
  }

  /** Afterwards companions cannot get missed files any more. */
  deleteFiles() {
    this.#receiver.deleteFiles()
  }

  async nextMessage(matches: (message: IncomingMessage) => boolean = () => true): Promise<IncomingMessage> {
    for (;;) {
      const [message] = await once(this, 'message')
      if (matches(message)) return message
    }
  }

  encryptFor(device: Device, message: proto.IMessage, count?: string): Promise<Stanza> {
    return this.#sender.encryptFor(device, message, count)
  }

  resend(receipt: Stanza, peer: Device): Promise<void> {
    return this.#sender.resend(receipt, peer)
  }

  #recordOnline() {
    this.#changes.set('online', () => this.online)
  }

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

  /** A failed stanza stays in the inbox; the next one is received all the same. */
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
