import { generateMessageIDV2, type proto } from '@whiskeysockets/baileys'
import type { Device, Group } from '../server/directory.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'
import { bytes, children, el, type Stanza, stanzaTime } from '../wire/stanza.ts'
import type { OwnPhone } from './own-phone.ts'
import { peerName } from './peer-name.ts'
import type { SendOptions } from './send-options.ts'
import type { CipherType } from './signal-device.ts'

export type GroupState = [group: string, informed: string[]][]

export class GroupMessages {
  readonly #phone: OwnPhone
  readonly #informed = new Map<string, Map<string, true>>()
  readonly #changes: StateChanges

  constructor(phone: OwnPhone, changes: StateChanges, state: GroupState = []) {
    this.#phone = phone
    this.#changes = changes
    for (const [group, peers] of state) for (const peer of peers) this.#informedOf(group).set(peer, true)
  }

  #informedOf(group: string): Map<string, true> {
    const informed = this.#informed.get(group) ?? new RecordedMap<string, true>(this.#changes.at(group), Boolean)
    this.#informed.set(group, informed)
    return informed
  }

  /** One ciphertext for all, with our sender key where unknown. Returns the message id. */
  async send(group: Group, message: proto.IMessage, options: SendOptions = {}): Promise<string> {
    const { id = generateMessageIDV2(), type = 'text', edit, at } = options
    const { signal, device: self } = this.#phone
    const informed = this.#informedOf(group.id)
    const key = await signal.senderKey(group.id, peerName(self))
    const entries: Stanza[] = []
    for (const device of [...group.members].flatMap((member) => [...member.devices.values()])) {
      if (device === self || informed.has(peerName(device)) || !device.keys) continue
      const enc = await this.#phone.encryptFor(device, key)
      entries.push(el('to', { jid: device.jid('lid') }, [enc]))
      informed.set(peerName(device), true)
    }
    const ciphertext = await signal.encryptForGroup(group.id, peerName(self), message)
    const participants = entries.length ? [el('participants', {}, entries)] : []
    const content = [...participants, el('enc', { v: '2', type: 'skmsg' }, ciphertext)]
    this.#phone.submit(el('message', { to: group.id, id, type, edit, t: stanzaTime(at) }, content))
    return id
  }

  /** A member could not read it: sends message and sender key through the pairwise session. */
  async resend(group: string, id: string, message: proto.IMessage, peer: Device, count?: string) {
    const key = await this.#phone.signal.senderKey(group, peerName(this.#phone.device))
    const enc = await this.#phone.encryptFor(peer, { ...message, ...key }, count)
    this.#phone.submit(el('message', { to: group, id, type: 'text', participant: peer.jid('lid') }, [enc]))
  }

  async read(stanza: Stanza, group: string, sender: Device): Promise<proto.IMessage | undefined> {
    const { signal } = this.#phone
    let message: proto.IMessage | undefined
    for (const enc of children(stanza, 'enc')) {
      if (enc.attrs.type === 'skmsg') {
        message = await signal.decryptFromGroup(group, peerName(sender), bytes(enc))
        continue
      }
      const keyed = await signal.decrypt(peerName(sender), enc.attrs.type as CipherType, bytes(enc))
      const { senderKeyDistributionMessage: key, ...content } = keyed
      if (key) await signal.learnSenderKey(peerName(sender), key)
      if (!children(stanza, 'enc').some(({ attrs }) => attrs.type === 'skmsg')) message = content
    }
    return message
  }
}
