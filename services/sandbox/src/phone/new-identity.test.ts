import { Curve, generateSignalPubKey } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { isSignedBy } from '../wire/trust.ts'
import { newIdentity } from './new-identity.ts'

test('the pre-key is signed as Signal signs, and the identity agrees and signs like any other', () => {
  for (let index = 0; index < 6; index++) {
    const { identity, signedPreKey } = newIdentity(7)
    const signed = generateSignalPubKey(signedPreKey.keyPair.public)
    expect(signedPreKey.keyId).toBe(7)
    expect(isSignedBy(identity.public, signed, signedPreKey.signature)).toBe(true)
    expect(isSignedBy(identity.public, signed.subarray(1), signedPreKey.signature)).toBe(false)

    const other = Curve.generateKeyPair()
    const ours = Curve.sharedKey(identity.private, other.public)
    expect(Buffer.from(ours)).toEqual(Buffer.from(Curve.sharedKey(other.private, identity.public)))
    const statement = Buffer.from('sou eu')
    expect(isSignedBy(identity.public, statement, Curve.sign(identity.private, statement))).toBe(true)
  }
})
