/**
 * A second copy of libsignal with faster curve arithmetic for simulated phones: DER keys cost Node five times the agreement, JWK do not.
 * Baileys keeps the untouched copy, so measurements stay valid.
 */
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import type * as Libsignal from 'libsignal'

/** Modules that import the curve; the others are stateless and shared with Baileys. */
const OWN = ['index', 'session_builder', 'session_cipher', 'session_record', 'curve', 'keyhelper']
const PREFIX = Buffer.from([5])
const CURVE = { kty: 'OKP', crv: 'X25519' }

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const bytesOf = (part: string | undefined) => Buffer.from(part ?? '', 'base64url')

/** Public keys have 33 bytes, the first is 5. */
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
      // Node requires a public half, but computes with the private one alone.
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
