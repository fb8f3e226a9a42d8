import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSignedBy, signatureIn } from './signature.ts'

const sign = (token: string, body: Uint8Array) => createHmac('sha1', token).update(body).digest('hex')
const body = Buffer.from('{"order_id":"a","name":"Conceição \\u00e7 \\/"}')

describe('a signature', () => {
  it('holds for the bytes as they came, under the current token and the next one', () => {
    expect(isSignedBy(['old', 'new'], body, sign('old', body))).toBe(true)
    expect(isSignedBy(['old', 'new'], body, sign('new', body))).toBe(true)
    expect(isSignedBy(['old', 'new'], body, sign('other', body))).toBe(false)
  })

  it('does not hold for the same object written otherwise', () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
    expect(isSignedBy(['t'], rewritten, sign('t', body))).toBe(false)
  })

  it('does not hold once a byte has changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const signature = sign('t', bytes)
        expect(isSignedBy(['t'], bytes, signature)).toBe(true)
        const changed = Uint8Array.from(bytes)
        const place = at % bytes.length
        changed[place] = (changed[place] ?? 0) ^ change
        expect(isSignedBy(['t'], changed, signature)).toBe(false)
      }),
    )
  })

  it('proves nothing where no token is set, or an empty one', () => {
    expect(isSignedBy([], body, sign('', body))).toBe(false)
    expect(isSignedBy([''], body, sign('', body))).toBe(false)
  })

  it.each([undefined, '', 'abc', ['a'], sign('t', body).toUpperCase(), `${sign('t', body)}0`])('is not %j', (given) =>
    expect(isSignedBy(['t'], body, given)).toBe(false),
  )

  it('is found in the address, however it was appended', () => {
    const signature = 'a'.repeat(40)
    expect(signatureIn(`/kiwify/payment/approved?signature=${signature}`)).toBe(signature)
    expect(signatureIn(`/kiwify/payment/approved?a=b&signature=${signature}`)).toBe(signature)
    expect(signatureIn(`/kiwify/payment/approved?a=b?signature=${signature}`)).toBe(signature)
    expect(signatureIn('/kiwify/payment/approved')).toBeUndefined()
  })
})

describe('the bodies that Kiwify sent', () => {
  const samples = ['order-approved-card', 'pix-created', 'order-rejected', 'order-refunded']
  it.each(samples)('%s is signed over its raw bytes', (name) => {
    const bytes = readFileSync(new URL(`samples/${name}.json`, import.meta.url))
    expect(isSignedBy(['token'], bytes, sign('token', bytes))).toBe(true)
  })
})
