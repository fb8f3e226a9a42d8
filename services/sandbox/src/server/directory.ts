/** What the server knows: accounts, their devices, published keys and undelivered stanzas. */
import { createHash } from 'node:crypto'
import { jidDecode, jidEncode } from '@whiskeysockets/baileys'
import type { Stanza } from '../wire/stanza.ts'
import { Inbox } from './inbox.ts'

/** How a stanza names people: by phone number or by LID, the number that hides it. */
export type Addressing = 'pn' | 'lid'

export interface SignedPreKey {
  id: number
  publicKey: Buffer
  signature: Buffer
}

export interface PublishedKeys {
  registrationId: number
  identity: Buffer
  signedPreKey: SignedPreKey
}

export interface KeyBundle extends PublishedKeys {
  preKey?: { id: number; publicKey: Buffer }
}

/** Whatever currently receives the stanzas of a device: a socket, or an in-process phone. */
export interface Link {
  deliver(stanza: Stanza): void
}

export class Device {
  readonly account: Account
  readonly id: number
  readonly inbox = new Inbox()
  readonly oneTimeKeys = new Map<number, Buffer>()
  keys?: PublishedKeys
  noiseKey?: Buffer
  link?: Link
  /** A phone in this process makes its one-time keys when somebody asks for one: most are never used. */
  makeOneTimeKey?: () => { id: number; publicKey: Buffer }
  /** Linked, but its phone has not sent it keys and chats yet. */
  awaitsFirstSync = false
  /** What was queued last for it, to be sent once more on order. */
  lastMessage?: Stanza

  constructor(account: Account, id: number) {
    this.account = account
    this.id = id
  }

  jid(addressing: Addressing = 'pn') {
    return this.account.jid(addressing, this.id)
  }

  /** Hands out the bundle a sender needs; each one-time key is given away once. */
  takeBundle(): KeyBundle | undefined {
    if (!this.keys) return undefined
    const next = this.oneTimeKeys.entries().next()
    if (next.done) return { ...this.keys, preKey: this.makeOneTimeKey?.() }
    const [id, publicKey] = next.value
    this.oneTimeKeys.delete(id)
    return { ...this.keys, preKey: { id, publicKey } }
  }
}

export class Account {
  readonly number: string
  readonly devices = new Map<number, Device>()
  readonly lidUser: string
  name: string
  /** Messages then carry the LID alone, as WhatsApp does for contacts whose number you may not see. */
  hidesNumber = false
  /** Whose messages the server does not take for this account. */
  readonly blocked = new Set<Account>()
  /** Never handed out twice: sessions with an unlinked device must not meet another device under its id. */
  nextDeviceId = 0

  constructor(number: string, name: string) {
    this.number = number
    this.name = name
    const digest = createHash('sha256').update(number).digest()
    this.lidUser = String(100_000_000_000_000n + (digest.readBigUInt64BE() % 100_000_000_000_000n))
  }

  jid(addressing: Addressing = 'pn', device = 0) {
    if (addressing === 'lid') return jidEncode(this.lidUser, 'lid', device)
    return jidEncode(this.number, 's.whatsapp.net', device)
  }

  addDevice(id = this.nextDeviceId++): Device {
    const device = new Device(this, id)
    this.devices.set(device.id, device)
    return device
  }
}

export interface Group {
  /** `…@g.us` */
  id: string
  subject: string
  creator: Account
  /** Seconds since 1970. */
  created: number
  members: Set<Account>
}

export class Directory {
  readonly groups = new Map<string, Group>()
  readonly #byNumber = new Map<string, Account>()
  readonly #byLid = new Map<string, Account>()

  accounts(): Account[] {
    return [...this.#byNumber.values()]
  }

  /** Throws when the number has an account already. */
  addAccount(number: string, name: string): Account {
    if (this.#byNumber.has(number)) throw new Error(`${number} exists already`)
    const account = new Account(number, name)
    this.#byNumber.set(number, account)
    this.#byLid.set(account.lidUser, account)
    return account
  }

  removeAccount(account: Account) {
    this.#byNumber.delete(account.number)
    this.#byLid.delete(account.lidUser)
    for (const group of this.groups.values()) group.members.delete(account)
    for (const other of this.#byNumber.values()) other.blocked.delete(account)
  }

  byNumber(number: string) {
    return this.#byNumber.get(number)
  }

  account(jid: string | undefined): Account | undefined {
    const parts = jid ? jidDecode(jid) : undefined
    if (!parts) return undefined
    return (parts.server === 'lid' ? this.#byLid : this.#byNumber).get(parts.user)
  }

  device(jid: string | undefined): Device | undefined {
    const device = (jid && jidDecode(jid)?.device) || 0
    return this.account(jid)?.devices.get(device)
  }

  group(jid: string | undefined): Group | undefined {
    return jid ? this.groups.get(jid) : undefined
  }
}

export const addressingOf = (jid: string): Addressing => (jid.endsWith('@lid') ? 'lid' : 'pn')
