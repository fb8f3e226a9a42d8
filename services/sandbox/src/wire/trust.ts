/**
 * Baileys intends to check both signatures and intermediate.issuerSerial === WA_CERT_DETAILS.SERIAL (0). In 7.0.0-rc14 Curve.verify returns
 * true for every 64-byte signature; the sandbox signs properly anyway and offers trustRoot().
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

/** Certificate chain up to `root`, valid for a year. */
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

/** Makes Baileys in this process accept chains that end in `rootPublicKey`; WA_CERT_DETAILS is not frozen. Returns an undo. */
export function trustRoot(rootPublicKey: Uint8Array): () => void {
  const anchor = WA_CERT_DETAILS as { PUBLIC_KEY: Buffer }
  const previous = anchor.PUBLIC_KEY
  anchor.PUBLIC_KEY = Buffer.from(rootPublicKey)
  return () => {
    anchor.PUBLIC_KEY = previous
  }
}

/** XEdDSA check that can fail, unlike Curve.verify of rc14. */
export const isSignedBy = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === 64 && verifySignature(Buffer.from(generateSignalPubKey(publicKey)), message, signature)
