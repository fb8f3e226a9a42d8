/** Responder of Noise_XX_25519_AESGCM_SHA256, as WhatsApp frames it. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, proto } from '@whiskeysockets/baileys'
import type { ServerIdentity } from './trust.ts'

/** 32 bytes: initial hash, chaining key and cipher key. */
const PROTOCOL_NAME = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0', 'latin1')
const TAG_BYTES = 16
const NOTHING = Buffer.alloc(0)

class CipherKey {
  readonly #key: Uint8Array
  #counter = 0

  constructor(key: Uint8Array) {
    this.#key = key
  }

  #nonce() {
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(this.#counter++, 8)
    return nonce
  }

  encrypt(plain: Uint8Array, associated: Uint8Array = NOTHING): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, this.#nonce()).setAAD(associated)
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  decrypt(encrypted: Uint8Array, associated: Uint8Array = NOTHING): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, this.#nonce()).setAAD(associated)
    decipher.setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES))
    return Buffer.concat([decipher.update(encrypted.subarray(0, encrypted.length - TAG_BYTES)), decipher.final()])
  }
}

const expand = (secret: Uint8Array, salt: Uint8Array): [Buffer, Buffer] => {
  const material = Buffer.from(hkdfSync('sha256', secret, salt, '', 64))
  return [material.subarray(0, 32), material.subarray(32)]
}

export interface Transport {
  encrypt(plain: Uint8Array): Buffer
  decrypt(encrypted: Uint8Array): Buffer
}

export interface HandshakeResult {
  clientStatic: Buffer
  payload: proto.ClientPayload
  transport: Transport
}

/** Call hello(), then finish(). Throws on invalid messages. */
export class NoiseResponder {
  readonly #identity: ServerIdentity
  readonly #ephemeral = Curve.generateKeyPair()
  #hash: Buffer = PROTOCOL_NAME
  #chainingKey: Buffer = PROTOCOL_NAME
  #cipher = new CipherKey(PROTOCOL_NAME)

  /** @param prologue the client's 4 header bytes (`WA`, 6, dictionary version) */
  constructor(identity: ServerIdentity, prologue: Uint8Array) {
    this.#identity = identity
    this.#absorb(prologue)
  }

  /** ClientHello → ServerHello. */
  hello(message: Uint8Array): Uint8Array {
    const ephemeral = proto.HandshakeMessage.decode(message).clientHello?.ephemeral
    if (!ephemeral) throw new Error('ClientHello without an ephemeral key')
    this.#absorb(ephemeral)
    this.#absorb(this.#ephemeral.public)
    this.#mix(Curve.sharedKey(this.#ephemeral.private, ephemeral))
    const encryptedStatic = this.#encrypt(this.#identity.noise.public)
    this.#mix(Curve.sharedKey(this.#identity.noise.private, ephemeral))
    const encryptedChain = this.#encrypt(this.#identity.chain)
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: this.#ephemeral.public, static: encryptedStatic, payload: encryptedChain },
    }).finish()
  }

  /** ClientFinish → transport keys and the client's payload. */
  finish(message: Uint8Array): HandshakeResult {
    const finish = proto.HandshakeMessage.decode(message).clientFinish
    if (!finish?.static || !finish.payload) throw new Error('incomplete ClientFinish')
    const clientStatic = this.#decrypt(finish.static)
    this.#mix(Curve.sharedKey(this.#ephemeral.private, clientStatic))
    const payload = proto.ClientPayload.decode(this.#decrypt(finish.payload))
    const [inward, outward] = expand(NOTHING, this.#chainingKey)
    const [fromClient, toClient] = [new CipherKey(inward), new CipherKey(outward)]
    return {
      clientStatic,
      payload,
      transport: { encrypt: (plain) => toClient.encrypt(plain), decrypt: (encrypted) => fromClient.decrypt(encrypted) },
    }
  }

  #absorb(data: Uint8Array) {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest()
  }

  #mix(secret: Uint8Array) {
    const [chainingKey, key] = expand(secret, this.#chainingKey)
    this.#chainingKey = chainingKey
    this.#cipher = new CipherKey(key)
  }

  #encrypt(plain: Uint8Array) {
    const encrypted = this.#cipher.encrypt(plain, this.#hash)
    this.#absorb(encrypted)
    return encrypted
  }

  #decrypt(encrypted: Uint8Array) {
    const plain = this.#cipher.decrypt(encrypted, this.#hash)
    this.#absorb(encrypted)
    return plain
  }
}
