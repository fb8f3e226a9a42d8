import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { secretBox } from './secret-box.ts'

const box = secretBox(randomBytes(32))
const plain = Buffer.from('chave do WhatsApp')

describe('a secret box', () => {
  it('decrypts what it encrypted, in the same place', () => {
    expect(box.decrypt(box.encrypt(plain, 'here'), 'here')).toEqual(plain)
  })
  it('does not open it in another place', () => {
    expect(() => box.decrypt(box.encrypt(plain, 'here'), 'there')).toThrow()
  })
  it('does not open it with another master secret', () => {
    expect(() => secretBox(randomBytes(32)).decrypt(box.encrypt(plain, 'here'), 'here')).toThrow()
  })
  it('notices every changed byte', () => {
    const encrypted = box.encrypt(plain, 'here')
    for (let at = 0; at < encrypted.length; at++) {
      const changed = Buffer.from(encrypted)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => box.decrypt(changed, 'here')).toThrow()
    }
  })
  it('never seals the same twice alike, and shows nothing of it', () => {
    const [one, other] = [box.encrypt(plain, 'here'), box.encrypt(plain, 'here')]
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

describe('a token of a secret box', () => {
  it('is read in the same context by who has the same key, and by nobody else', () => {
    const token = box.token('0042', 'here')
    expect(box.readToken(token, 'here')).toBe('0042')
    expect(box.readToken(token, 'there')).toBeUndefined()
    expect(secretBox(randomBytes(32)).readToken(token, 'here')).toBeUndefined()
  })
  it('is the same again for the same, and another one in another context, wherever content and context meet', () => {
    expect(box.token('0042', 'here')).toBe(box.token('0042', 'here'))
    expect(new Set([box.token('c', 'ab'), box.token('bc', 'a'), box.token('', 'abc')]).size).toBe(3)
  })
  it('cannot be made by hand or changed', () => {
    const token = Buffer.from(box.token('0042', 'here'), 'base64url')
    for (let at = 0; at < token.length; at++) {
      const changed = Buffer.from(token)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(box.readToken(changed.toString('base64url'), 'here')).toBeUndefined()
    }
    for (const made of ['', '42', 'A'.repeat(60), box.encrypt(plain, 'here').toString('base64url')])
      expect(box.readToken(made, 'here')).toBeUndefined()
  })
})
