import { createHash } from 'node:crypto'
import { jidDecode, jidEncode } from '@whiskeysockets/baileys'
import type { Stanza } from '../wire/stanza.ts'
import { Inbox } from './inbox.ts'
import { type AccountAbout, base64, type DeviceAbout, type GroupState, saveKeys } from './saved-parts.ts'
import { RecordedMap, StateChanges } from './state-changes.ts'

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

export interface Link {
  deliver(stanza: Stanza): void
}

export class Device {
  readonly account: Account
  readonly id: number
  readonly inbox: Inbox
  readonly oneTimeKeys: Map<number, Buffer>
  readonly #changes: StateChanges
  #keys?: PublishedKeys
  #noiseKey?: Buffer
  #awaitsFirstSync = false
  link?: Link
  /** Phones in this process make one-time keys on demand: most are never used. */
  makeOneTimeKey?: () => { id: number; publicKey: Buffer }
  /** For resends on request. */
  lastMessage?: Stanza

  constructor(account: Account, id: number, changes: StateChanges) {
    this.account = account
    this.id = id
    this.#changes = changes
    this.inbox = new Inbox(changes.at('inbox'))
    this.oneTimeKeys = new RecordedMap<number, Buffer>(changes.at('keys'), base64)
    this.#record()
  }

  /** Replaced as a whole, so that changes are recorded. */
  get keys(): Readonly<PublishedKeys> | undefined {
    return this.#keys
  }

  set keys(keys: PublishedKeys | undefined) {
    this.#keys = keys
    this.#record()
  }

  get noiseKey(): Buffer | undefined {
    return this.#noiseKey
  }

  set noiseKey(key: Buffer | undefined) {
    this.#noiseKey = key
    this.#record()
  }

  get awaitsFirstSync(): boolean {
    return this.#awaitsFirstSync
  }

  set awaitsFirstSync(awaits: boolean) {
    this.#awaitsFirstSync = awaits
    this.#record()
  }

  #record() {
    this.#changes.set(
      'about',
      (): DeviceAbout => ({
        noiseKey: this.#noiseKey && base64(this.#noiseKey),
        keys: this.#keys && saveKeys(this.#keys),
        awaitsFirstSync: this.#awaitsFirstSync,
      }),
    )
  }

  jid(addressing: Addressing = 'pn') {
    return this.account.jid(addressing, this.id)
  }

  /** Each one-time key is handed out once. */
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
  readonly lidUser: string
  readonly changes: StateChanges
  readonly #devices = new Map<number, Device>()
  readonly #deviceChanges = new Map<number, StateChanges>()
  readonly #blocked = new Set<Account>()
  #name: string
  #hidesNumber = false
  #nextDeviceId = 0

  constructor(number: string, name: string, changes: StateChanges) {
    this.number = number
    this.#name = name
    this.changes = changes
    const digest = createHash('sha256').update(number).digest()
    this.lidUser = String(100_000_000_000_000n + (digest.readBigUInt64BE() % 100_000_000_000_000n))
    this.#record()
  }

  jid(addressing: Addressing = 'pn', device = 0) {
    if (addressing === 'lid') return jidEncode(this.lidUser, 'lid', device)
    return jidEncode(this.number, 's.whatsapp.net', device)
  }

  /** The push name. */
  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
    this.#record()
  }

  /** Messages then carry only the LID, as for hidden numbers in WhatsApp. */
  get hidesNumber(): boolean {
    return this.#hidesNumber
  }

  set hidesNumber(hides: boolean) {
    this.#hidesNumber = hides
    this.#record()
  }

  /** Never reused: old sessions must not meet another device under the id. */
  get nextDeviceId(): number {
    return this.#nextDeviceId
  }

  set nextDeviceId(id: number) {
    this.#nextDeviceId = id
    this.#record()
  }

  get devices(): ReadonlyMap<number, Device> {
    return this.#devices
  }

  get blocked(): ReadonlySet<Account> {
    return this.#blocked
  }

  setBlocked(other: Account, blocked: boolean) {
    if (blocked) this.#blocked.add(other)
    else if (!this.#blocked.delete(other)) return
    this.#record()
  }

  addDevice(id = this.nextDeviceId++): Device {
    const changes = this.changes.at('devices', String(id))
    const device = new Device(this, id, changes)
    this.#devices.set(id, device)
    this.#deviceChanges.set(id, changes)
    return device
  }

  removeDevice(id: number) {
    this.#devices.delete(id)
    this.#deviceChanges.get(id)?.clear()
    this.#deviceChanges.delete(id)
  }

  #record() {
    this.changes.set(
      'about',
      (): AccountAbout => ({
        name: this.#name,
        hidesNumber: this.#hidesNumber,
        blocked: [...this.#blocked].map((other) => other.number),
        nextDeviceId: this.#nextDeviceId,
      }),
    )
  }
}

export interface Group {
  id: string
  subject: string
  creator: Account
  /** Seconds since 1970. */
  created: number
  members: Set<Account>
}

const saveGroup = ({ id, subject, creator, created, members }: Group): GroupState => ({
  id,
  subject,
  creator: creator.number,
  created,
  members: [...members].map((member) => member.number),
})

export class Directory {
  readonly groups: Map<string, Group>
  readonly #changes: StateChanges
  readonly #byNumber = new Map<string, Account>()
  readonly #byLid = new Map<string, Account>()

  constructor(changes = new StateChanges(undefined)) {
    this.#changes = changes
    this.groups = new RecordedMap(changes.at('groups'), saveGroup)
  }

  accounts(): Account[] {
    return [...this.#byNumber.values()]
  }

  /** Throws when the number has an account. */
  addAccount(number: string, name: string): Account {
    if (this.#byNumber.has(number)) throw new Error(`${number} exists already`)
    const account = new Account(number, name, this.#changes.at('accounts', number))
    this.#byNumber.set(number, account)
    this.#byLid.set(account.lidUser, account)
    return account
  }

  removeAccount(account: Account) {
    this.#byNumber.delete(account.number)
    this.#byLid.delete(account.lidUser)
    for (const group of this.groups.values()) if (group.members.delete(account)) this.groups.set(group.id, group)
    for (const other of this.#byNumber.values()) other.setBlocked(account, false)
    account.changes.clear()
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
