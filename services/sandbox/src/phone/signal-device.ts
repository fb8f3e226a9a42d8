import { randomInt } from 'node:crypto'
import {
  BufferJSON,
  Curve,
  encodeWAMessage,
  generateSignalPubKey,
  type KeyPair,
  proto,
  type SignedKeyPair,
  unpadRandomMax16,
} from '@whiskeysockets/baileys'
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
} from '@whiskeysockets/baileys/lib/Signal/Group/index.js'
import { SenderKeyName } from '@whiskeysockets/baileys/lib/Signal/Group/sender-key-name.js'
import { SenderKeyRecord } from '@whiskeysockets/baileys/lib/Signal/Group/sender-key-record.js'
import type * as Libsignal from 'libsignal'
import type { KeyBundle, PublishedKeys } from '../server/directory.ts'
import { RecordedMap, type StateChanges } from '../server/state-changes.ts'
import { fastLibsignal as libsignal } from './fast-libsignal.ts'
import { type KeyPairState, loadKeyPair, saveKeyPair } from './key-pair-state.ts'
import { newIdentity } from './new-identity.ts'

export type CipherType = 'pkmsg' | 'msg'

export interface SignalState {
  registrationId: number
  identity: KeyPairState
  signedPreKey: { id: number; pair: KeyPairState; signature: string }
  preKeys: [id: number, pair: KeyPairState][]
  lastPreKeyId: number
  sessions: [address: string, record: unknown][]
  senderKeys: [name: string, record: string][]
}

const withPrefix = (pair: KeyPair) => ({
  privKey: Buffer.from(pair.private),
  pubKey: Buffer.from(generateSignalPubKey(pair.public)),
})

const prefixedKey = ({ id, publicKey }: { id: number; publicKey: Buffer }) => ({
  keyId: id,
  publicKey: Buffer.from(generateSignalPubKey(publicKey)),
})

export class SignalDevice {
  readonly identity: KeyPair
  readonly registrationId: number
  readonly #signedPreKey: SignedKeyPair
  readonly #changes: StateChanges
  readonly #preKeys: Map<number, KeyPair>
  /** Serialized, because libsignal changes a record even when the message is a forgery. */
  readonly #sessions: Map<string, unknown>
  readonly #senderKeys: Map<string, string>
  #lastPreKeyId = 0

  readonly #storage: Libsignal.SignalStorage = {
    loadSession: async (address) => this.#session(address),
    storeSession: async (address, record) => void this.#sessions.set(address, record.serialize()),
    isTrustedIdentity: () => true,
    loadPreKey: async (id) => {
      const pair = this.#preKeys.get(Number(id))
      return pair && withPrefix(pair)
    },
    removePreKey: (id) => void this.#preKeys.delete(id),
    loadSignedPreKey: () => withPrefix(this.#signedPreKey.keyPair),
    getOurRegistrationId: () => this.registrationId,
    getOurIdentity: () => withPrefix(this.identity),
  }

  readonly #groupStorage = {
    loadSenderKey: async (name: SenderKeyName) => {
      const record = this.#senderKeys.get(name.toString())
      return record ? SenderKeyRecord.deserialize(Buffer.from(record, 'base64')) : new SenderKeyRecord()
    },
    storeSenderKey: async (name: SenderKeyName, record: SenderKeyRecord) => {
      const text = JSON.stringify(record.serialize(), BufferJSON.replacer)
      this.#senderKeys.set(name.toString(), Buffer.from(text).toString('base64'))
    },
  }

  /** @param state recorded before a restart; without it the device is new */
  constructor(changes: StateChanges, state?: SignalState) {
    this.#changes = changes
    this.#preKeys = new RecordedMap(changes.at('preKeys'), saveKeyPair)
    this.#sessions = new RecordedMap(changes.at('sessions'), (record) => record)
    this.#senderKeys = new RecordedMap(changes.at('senderKeys'), (record) => record)
    const { identity, signedPreKey } = state
      ? { identity: loadKeyPair(state.identity), signedPreKey: loadSignedPreKey(state) }
      : newIdentity(1)
    this.identity = identity
    this.#signedPreKey = signedPreKey
    this.registrationId = state?.registrationId ?? randomInt(1, 0x3fff)
    this.#lastPreKeyId = state?.lastPreKeyId ?? 0
    changes.set('identity', () => this.#ownKeys())
    this.#recordLastPreKeyId()
    for (const [id, pair] of state?.preKeys ?? []) this.#preKeys.set(id, loadKeyPair(pair))
    for (const [address, record] of state?.sessions ?? []) this.#sessions.set(address, record)
    for (const [name, record] of state?.senderKeys ?? []) this.#senderKeys.set(name, record)
  }

  #ownKeys(): Pick<SignalState, 'registrationId' | 'identity' | 'signedPreKey'> {
    const { keyId, keyPair, signature } = this.#signedPreKey
    return {
      registrationId: this.registrationId,
      identity: saveKeyPair(this.identity),
      signedPreKey: { id: keyId, pair: saveKeyPair(keyPair), signature: Buffer.from(signature).toString('base64') },
    }
  }

  #recordLastPreKeyId() {
    this.#changes.set('lastPreKeyId', () => this.#lastPreKeyId)
  }

  publicKeys(): PublishedKeys {
    const { keyId, keyPair, signature } = this.#signedPreKey
    return {
      registrationId: this.registrationId,
      identity: Buffer.from(this.identity.public),
      signedPreKey: { id: keyId, publicKey: Buffer.from(keyPair.public), signature: Buffer.from(signature) },
    }
  }

  freshPreKey(): { id: number; publicKey: Buffer } {
    const pair = Curve.generateKeyPair()
    const id = ++this.#lastPreKeyId
    this.#recordLastPreKeyId()
    this.#preKeys.set(id, pair)
    return { id, publicKey: Buffer.from(pair.public) }
  }

  hasSession(peer: string): boolean {
    return this.#session(addressOf(peer).toString())?.haveOpenSession() ?? false
  }

  /** An earlier session stays for reading. */
  async startSession(peer: string, bundle: KeyBundle) {
    await new libsignal.SessionBuilder(this.#storage, addressOf(peer)).initOutgoing({
      registrationId: bundle.registrationId,
      identityKey: Buffer.from(generateSignalPubKey(bundle.identity)),
      signedPreKey: { ...prefixedKey(bundle.signedPreKey), signature: bundle.signedPreKey.signature },
      // libsignal's types require a one-time key, its code does not.
      preKey: bundle.preKey ? prefixedKey(bundle.preKey) : (undefined as never),
    })
  }

  async encrypt(peer: string, message: proto.IMessage): Promise<{ type: CipherType; ciphertext: Buffer }> {
    const cipher = new libsignal.SessionCipher(this.#storage, addressOf(peer))
    const { type, body } = await cipher.encrypt(Buffer.from(encodeWAMessage(message)))
    return { type: type === 3 ? 'pkmsg' : 'msg', ciphertext: Buffer.from(body, 'binary') }
  }

  /** Throws when the ciphertext is for another device, changed, or already decrypted. */
  async decrypt(peer: string, type: CipherType, ciphertext: Buffer): Promise<proto.Message> {
    const cipher = new libsignal.SessionCipher(this.#storage, addressOf(peer))
    const padded =
      type === 'pkmsg'
        ? await cipher.decryptPreKeyWhisperMessage(ciphertext)
        : await cipher.decryptWhisperMessage(ciphertext)
    return proto.Message.decode(unpadRandomMax16(padded))
  }

  async senderKey(group: string, self: string): Promise<proto.IMessage> {
    const key = await new GroupSessionBuilder(this.#groupStorage).create(new SenderKeyName(group, addressOf(self)))
    return { senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: key.serialize() } }
  }

  async learnSenderKey(peer: string, distribution: proto.Message.ISenderKeyDistributionMessage) {
    const { groupId, axolotlSenderKeyDistributionMessage: key } = distribution
    if (!groupId) throw new Error('a sender key without its group')
    const message = new SenderKeyDistributionMessage(null, null, null, null, key)
    await new GroupSessionBuilder(this.#groupStorage).process(new SenderKeyName(groupId, addressOf(peer)), message)
  }

  async encryptForGroup(group: string, self: string, message: proto.IMessage): Promise<Buffer> {
    const cipher = new GroupCipher(this.#groupStorage, new SenderKeyName(group, addressOf(self)))
    return Buffer.from(await cipher.encrypt(encodeWAMessage(message)))
  }

  async decryptFromGroup(group: string, peer: string, ciphertext: Buffer): Promise<proto.Message> {
    const cipher = new GroupCipher(this.#groupStorage, new SenderKeyName(group, addressOf(peer)))
    return proto.Message.decode(unpadRandomMax16(await cipher.decrypt(ciphertext)))
  }

  #session(address: string): Libsignal.SessionRecord | undefined {
    const record = this.#sessions.get(address)
    return record === undefined ? undefined : libsignal.SessionRecord.deserialize(record as never)
  }
}

/** Peers by canonical `number.device`, whether stanzas use number or LID. */
function addressOf(peer: string) {
  const [name = '', device] = peer.split('.')
  return new libsignal.ProtocolAddress(name, Number(device))
}

function loadSignedPreKey({ signedPreKey: { id, pair, signature } }: SignalState): SignedKeyPair {
  return { keyId: id, keyPair: loadKeyPair(pair), signature: Buffer.from(signature, 'base64') }
}
