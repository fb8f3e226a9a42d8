import { createCipheriv, createDecipheriv, hkdfSync, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Curve, type KeyPair } from '@whiskeysockets/baileys'
import type { CodeRequest } from '../server/pairing-desk.ts'

const ITERATIONS = 131_072
const BUNDLE_KEY_INFO = 'link_code_pairing_key_bundle_encryption_key'

const codeKey = (code: string, salt: Uint8Array) => promisify(pbkdf2)(code, salt, ITERATIONS, 32, 'sha256')

export interface CodePairing {
  companionIdentity: Buffer
  advSecret: Buffer
}

/** Returns the companion's identity key and the shared ADV secret. Throws when the code was wrong. */
export async function completeCodePairing(request: CodeRequest, code: string, identity: KeyPair): Promise<CodePairing> {
  const { wrappedEphemeral } = request
  const salt = wrappedEphemeral.subarray(0, 32)
  const opener = createDecipheriv('aes-256-ctr', await codeKey(code, salt), wrappedEphemeral.subarray(32, 48))
  const companionEphemeral = opener.update(wrappedEphemeral.subarray(48, 80))

  const ephemeral = Curve.generateKeyPair()
  const [ownSalt, ownIv] = [randomBytes(32), randomBytes(16)]
  const wrapped = createCipheriv('aes-256-ctr', await codeKey(code, ownSalt), ownIv).update(ephemeral.public)
  request.answer(identity.public, Buffer.concat([ownSalt, ownIv, wrapped]))

  const { bundle, identity: companionIdentity } = await request.finished
  const shared = Curve.sharedKey(ephemeral.private, companionEphemeral)
  const plain = openBundle(bundle, shared)
  const namesBoth =
    plain.subarray(0, 32).equals(companionIdentity) && plain.subarray(32, 64).equals(Buffer.from(identity.public))
  if (!namesBoth) throw new Error('key bundle names other identities')
  const identityShared = Curve.sharedKey(identity.private, companionIdentity)
  const secret = Buffer.concat([shared, identityShared, plain.subarray(64, 96)])
  return { companionIdentity, advSecret: Buffer.from(hkdfSync('sha256', secret, '', 'adv_secret', 32)) }
}

/** salt 32, nonce 12, ciphertext, tag 16. The tag does not match when the codes differ. */
function openBundle(bundle: Buffer, shared: Uint8Array): Buffer {
  const key = Buffer.from(hkdfSync('sha256', shared, bundle.subarray(0, 32), BUNDLE_KEY_INFO, 32))
  const opener = createDecipheriv('aes-256-gcm', key, bundle.subarray(32, 44)).setAuthTag(bundle.subarray(-16))
  return Buffer.concat([opener.update(bundle.subarray(44, -16)), opener.final()])
}
