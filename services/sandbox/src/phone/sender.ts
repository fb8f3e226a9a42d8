import { generateMessageIDV2, proto } from '@whiskeysockets/baileys'
import type { Account, Addressing, Device, Group } from '../server/directory.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'
import { child, el, type Stanza, stanzaTime } from '../wire/stanza.ts'
import type { GroupMessages } from './groups.ts'
import type { Network, OwnPhone } from './own-phone.ts'
import { peerName } from './peer-name.ts'
import { forgetOldest } from './receiver.ts'
import { enclosedKeys } from './retries.ts'
import type { SendOptions } from './send-options.ts'

/** Sent messages that can be resent. */
const MAX_SENT = 500

interface SentMessage {
  to: string
  addressing: Addressing
  message: proto.IMessage
}

export type SenderState = [id: string, sent: { to: string; addressing: Addressing; message: string }][]

const savedSent = ({ to, addressing, message }: SentMessage): SenderState[0][1] => {
  const bytes = Buffer.from(proto.Message.encode(message).finish())
  return { to, addressing, message: bytes.toString('base64') }
}

export class Sender {
  readonly #server: Network
  readonly #phone: OwnPhone
  readonly #groups: GroupMessages
  readonly #sent: Map<string, SentMessage>
  #outgoing: Promise<unknown> = Promise.resolve()

  constructor(server: Network, phone: OwnPhone, groups: GroupMessages, changes: StateChanges, sent: SenderState = []) {
    this.#server = server
    this.#sent = new RecordedMap(changes, savedSent)
    this.#phone = phone
    this.#groups = groups
    for (const [id, { to, addressing, message }] of sent) {
      this.#sent.set(id, { to, addressing, message: proto.Message.decode(Buffer.from(message, 'base64')) })
    }
  }

  /** Also encrypts for our companions. Returns the message id. */
  send(recipient: Account, message: proto.IMessage, options: SendOptions): Promise<string> {
    return this.#enqueue(() => this.#send(recipient, message, options))
  }

  sendToGroup(group: Group, message: proto.IMessage, options: SendOptions): Promise<string> {
    const id = options.id ?? generateMessageIDV2()
    this.#storeSent(id, { to: group.id, addressing: 'lid', message })
    return this.#enqueue(() => this.#groups.send(group, message, { ...options, id }))
  }

  async encryptFor(device: Device, message: proto.IMessage, count?: string): Promise<Stanza> {
    const peer = peerName(device)
    if (!this.#phone.signal.hasSession(peer)) {
      const bundle = this.#server.takeBundle(device)
      if (!bundle) throw new Error(`${peer} has published no keys`)
      await this.#phone.signal.startSession(peer, bundle)
    }
    const { type, ciphertext } = await this.#phone.signal.encrypt(peer, message)
    return el('enc', { v: '2', type, count }, ciphertext)
  }

  /** Starts a new session with the enclosed keys or a fresh bundle; serial with sends, which would see the session change. */
  resend(receipt: Stanza, peer: Device): Promise<void> {
    return this.#enqueue(() => this.#resend(receipt, peer))
  }

  async #resend(receipt: Stanza, peer: Device) {
    const { id = '' } = receipt.attrs
    const original = this.#sent.get(id)
    if (!original) return
    // The old session stays readable: the peer may have used it meanwhile.
    const keys = enclosedKeys(receipt) ?? this.#server.takeBundle(peer)
    if (keys) await this.#phone.signal.startSession(peerName(peer), keys)
    const count = child(receipt, 'retry')?.attrs.count
    if (original.to.endsWith('@g.us')) return this.#groups.resend(original.to, id, original.message, peer, count)
    const enc = await this.encryptFor(peer, original.message, count)
    this.#phone.submit(el('message', { to: peer.jid(original.addressing), id, type: 'text' }, [enc]))
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#outgoing.then(work)
    this.#outgoing = done.catch(() => undefined) // the caller gets the failure; the next starts clean
    return done
  }

  async #send(recipient: Account, message: proto.IMessage, options: SendOptions): Promise<string> {
    const { id = generateMessageIDV2(), addressing = 'lid', type = 'text', edit, at } = options
    this.#storeSent(id, { to: recipient.number, message, addressing })
    const chat = recipient.jid(addressing)
    const copy: proto.IMessage = { deviceSentMessage: { destinationJid: chat, message } }
    const entries: Stanza[] = []
    for (const device of [...recipient.devices.values(), ...this.#phone.companions()]) {
      if (device === this.#phone.device || !device.keys) continue // still logging in
      const enc = await this.encryptFor(device, device.account === recipient ? message : copy)
      entries.push(el('to', { jid: device.jid(addressing) }, [enc]))
    }
    this.#phone.submit(
      el('message', { to: chat, id, type, edit, t: stanzaTime(at) }, [el('participants', {}, entries)]),
    )
    return id
  }

  #storeSent(id: string, sent: SentMessage) {
    this.#sent.set(id, sent)
    forgetOldest(this.#sent, MAX_SENT)
  }
}
