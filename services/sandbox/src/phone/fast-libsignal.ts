/**
 * libsignal for simulated phones: the same code, loaded a second time, with faster curve arithmetic.
 *
 * libsignal 6 reads keys as DER for every agreement, which costs Node five times the agreement itself; as JWK it does not.
 * Baileys in the same process keeps its own untouched copy, so nothing that is measured or tested there changes.
 */
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import type * as Libsignal from 'libsignal'

/** These find the curve through one another; all others have no state and are shared with Baileys. */
const OWN = ['index', 'session_builder', 'session_cipher', 'session_record', 'curve', 'keyhelper']
const PREFIX = Buffer.from([5])
const CURVE = { kty: 'OKP', crv: 'X25519' }

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const bytesOf = (part: string | undefined) => Buffer.from(part ?? '', 'base64url')

/** The fast half of libsignal's `curve`; public keys have 33 bytes, the first is 5. */
const fastCurve = {
  generateKeyPair() {
    const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    return { privKey: bytesOf(d), pubKey: Buffer.concat([PREFIX, bytesOf(x)]) }
  },
  calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Buffer {
    if (publicKey.length !== 33 || publicKey[0] !== 5) throw new Error('Invalid public key')
    if (privateKey.length !== 32) throw new Error('Invalid private key')
    const x = text(publicKey.subarray(1))
    return diffieHellman({
      // Node wants a public half beside the private one, and computes with the private one alone.
      privateKey: createPrivateKey({ key: { ...CURVE, d: text(privateKey), x }, format: 'jwk' }),
      publicKey: createPublicKey({ key: { ...CURVE, x }, format: 'jwk' }),
    })
  },
}

function loadOwnCopy(): typeof Libsignal {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('libsignal/package.json')) + sep
  const own = (file: string) => file.startsWith(folder) && OWN.some((name) => file.endsWith(`${sep}${name}.js`))
  require('libsignal')
  const shared = Object.entries(require.cache).filter(([file]) => own(file))
  for (const [file] of shared) delete require.cache[file]
  try {
    const copy = require('libsignal')
    Object.assign(require('libsignal/src/curve.js'), fastCurve)
    return copy
  } finally {
    for (const [file, module] of shared) require.cache[file] = module
  }
}

export const fastLibsignal = loadOwnCopy()
