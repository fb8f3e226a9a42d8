import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { expect, it } from 'vitest'
import { accountOfToken, purchaseLinkOf } from './purchase-token.ts'

const box = secretBox(Buffer.alloc(32, 7))
const ana = '0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11'
const link = (address: string) => new URL(purchaseLinkOf(box, address, ana))

it('a purchase link names the account beside what it had before, and nothing of it can be read', () => {
  const made = link('https://pay.kiwify.com.br/AbC?utm_source=prosa&cupom=bem%20vindo&sck=velho&sckx=1#topo')
  expect(made.href).toMatch(
    /^https:\/\/pay\.kiwify\.com\.br\/AbC\?utm_source=prosa&cupom=bem%20vindo&sckx=1&sck=[\w-]+#topo$/,
  )
  const token = made.searchParams.get('sck') ?? ''
  expect(accountOfToken(box, token)).toBe(ana)
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(ana.slice(0, 8))
  expect(link('https://pay.kiwify.com.br/AbC').href).toMatch(/AbC\?sck=[\w-]+$/)
})

it('a token that was changed, or made under another key, names nobody', () => {
  const token = link('https://pay.kiwify.com.br/AbC').searchParams.get('sck') ?? ''
  expect(accountOfToken(box, `${token.slice(0, -2)}xx`)).toBeUndefined()
  expect(accountOfToken(secretBox(Buffer.alloc(32, 8)), token)).toBeUndefined()
  expect(accountOfToken(box, '')).toBeUndefined()
})
