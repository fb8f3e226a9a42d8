/** Uses Node's curve: a hundred times as fast as libsignal's signatures. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { Curve, generateSignalPubKey, type KeyPair, type SignedKeyPair } from '@whiskeysockets/baileys'

const SIGN_BIT = 0x80

/**
 * Signal signs with the Curve25519 key (XEdDSA): an Ed25519 signature with the sign of the public point in its last bit, so an Ed25519 key
 * serves as both.
 */
export function newIdentity(id: number): { identity: KeyPair; signedPreKey: SignedKeyPair } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const scalar = createHash('sha512').update(Buffer.from(d, 'base64url')).digest().subarray(0, 32)
  scalar[0] = (scalar[0] ?? 0) & 248
  scalar[31] = ((scalar[31] ?? 0) & 127) | 64
  const key = { kty: 'OKP', crv: 'X25519', d: scalar.toString('base64url'), x }
  const own = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
  const identity = { private: scalar, public: Buffer.from(own.x ?? '', 'base64url') } // libsignal accepts only buffers

  const keyPair = Curve.generateKeyPair()
  const signature = sign(null, generateSignalPubKey(keyPair.public), privateKey)
  const pointSign = (Buffer.from(x, 'base64url')[31] ?? 0) & SIGN_BIT
  signature[63] = (signature[63] ?? 0) | pointSign
  return { identity, signedPreKey: { keyId: id, keyPair, signature } }
}
