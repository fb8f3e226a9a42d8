import * as shared from 'libsignal'
import { expect, test } from 'vitest'
import { fastLibsignal } from './fast-libsignal.ts'

const { curve } = fastLibsignal as unknown as { curve: Curve }
const { curve: original } = shared as unknown as { curve: Curve }

interface Curve {
  generateKeyPair(): { pubKey: Buffer; privKey: Buffer }
  calculateAgreement(publicKey: Buffer, privateKey: Buffer): Buffer
}

test('agrees with the original, either way round, and leaves it alone', () => {
  expect(curve.calculateAgreement).not.toBe(original.calculateAgreement)
  for (let index = 0; index < 5; index++) {
    const [ours, theirs] = [curve.generateKeyPair(), original.generateKeyPair()]
    const secret = curve.calculateAgreement(theirs.pubKey, ours.privKey)
    expect(secret).toEqual(original.calculateAgreement(ours.pubKey, theirs.privKey))
    expect(secret).toEqual(curve.calculateAgreement(ours.pubKey, theirs.privKey))
  }
})

test('refuses what is no key', () => {
  const { pubKey, privKey } = curve.generateKeyPair()
  expect(() => curve.calculateAgreement(pubKey.subarray(1), privKey)).toThrow(/public/)
  expect(() => curve.calculateAgreement(pubKey, privKey.subarray(1))).toThrow(/private/)
})
