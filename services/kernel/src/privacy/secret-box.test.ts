import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { secretBox } from './secret-box.ts'

const box = secretBox(randomBytes(32))
const plain = Buffer.from('chave do WhatsApp')

describe('a secret box', () => {
  it('opens what it sealed, in the same place', () => {
    expect(box.open(box.seal(plain, 'here'), 'here')).toEqual(plain)
  })
  it('does not open it in another place', () => {
    expect(() => box.open(box.seal(plain, 'here'), 'there')).toThrow()
  })
  it('does not open it with another master secret', () => {
    expect(() => secretBox(randomBytes(32)).open(box.seal(plain, 'here'), 'here')).toThrow()
  })
  it('notices every changed byte', () => {
    const sealed = box.seal(plain, 'here')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => box.open(changed, 'here')).toThrow()
    }
  })
  it('never seals the same twice alike, and shows nothing of it', () => {
    const [one, other] = [box.seal(plain, 'here'), box.seal(plain, 'here')]
    expect(one.equals(other)).toBe(false)
    expect(one.includes(plain)).toBe(false)
  })
  it('finds the same value by its fingerprint, for one purpose only', () => {
    expect(box.fingerprint('ana@example.com', 'e-mail')).toBe(box.fingerprint('ana@example.com', 'e-mail'))
    expect(box.fingerprint('ana@example.com', 'e-mail')).not.toBe(box.fingerprint('ana@example.com', 'phone'))
  })
  it('refuses a short master secret', () => {
    expect(() => secretBox(randomBytes(31))).toThrow()
  })
})
