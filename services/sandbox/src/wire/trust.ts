/**
 * The Noise certificate chain of the sandbox, and the one hook a client needs to accept it.
 *
 * Baileys means to check: leaf.details signed by intermediate.key; intermediate.details signed by
 * WA_CERT_DETAILS.PUBLIC_KEY; intermediate.issuerSerial === WA_CERT_DETAILS.SERIAL (0).
 * In 7.0.0-rc14 only the presence of the fields and the serial are effective: Curve.verify drops the
 * boolean that libsignal returns and answers true to every 64-byte signature. The sandbox signs
 * properly all the same and offers trustRoot(), so that it keeps working once that is repaired.
 */
import { Curve, generateSignalPubKey, type KeyPair, proto, WA_CERT_DETAILS } from '@whiskeysockets/baileys'
import { verifySignature } from 'libsignal/src/curve.js'
import { seconds } from './stanza.ts'

const YEAR_SECONDS = 365 * 24 * 3600

export interface ServerIdentity {
  root: KeyPair
  noise: KeyPair
  chain: Buffer
}

/** Fresh server keys with a certificate chain that ends in `root` and holds for a year. */
export function createServerIdentity(root: KeyPair = Curve.generateKeyPair()): ServerIdentity {
  const { Details } = proto.CertChain.NoiseCertificate
  const intermediate = Curve.generateKeyPair()
  const noise = Curve.generateKeyPair()
  const validity = { notBefore: seconds() - 60, notAfter: seconds() + YEAR_SECONDS }
  const { SERIAL: issuerSerial } = WA_CERT_DETAILS

  const intermediateDetails = Details.encode({
    serial: 1,
    issuerSerial,
    key: intermediate.public,
    ...validity,
  }).finish()
  const leafDetails = Details.encode({ serial: 2, issuerSerial: 1, key: noise.public, ...validity }).finish()
  const chain = proto.CertChain.encode({
    intermediate: { details: intermediateDetails, signature: Curve.sign(root.private, intermediateDetails) },
    leaf: { details: leafDetails, signature: Curve.sign(intermediate.private, leafDetails) },
  }).finish()
  return { root, noise, chain: Buffer.from(chain) }
}

/**
 * Makes the Baileys loaded in THIS process accept servers whose chain ends in `rootPublicKey`. Returns an undo.
 * WA_CERT_DETAILS is an exported, unfrozen object: pointing it at another root is run-time configuration.
 */
export function trustRoot(rootPublicKey: Uint8Array): () => void {
  const anchor = WA_CERT_DETAILS as { PUBLIC_KEY: Buffer }
  const previous = anchor.PUBLIC_KEY
  anchor.PUBLIC_KEY = Buffer.from(rootPublicKey)
  return () => {
    anchor.PUBLIC_KEY = previous
  }
}

/** XEdDSA check that really answers false (Curve.verify of rc14 does not). */
export const isSignedBy = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === 64 && verifySignature(Buffer.from(generateSignalPubKey(publicKey)), message, signature)
