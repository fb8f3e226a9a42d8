import fc from 'fast-check'
import { expect, it } from 'vitest'
import { webAddressesIn } from './web-addresses.ts'

/** Former implementation, quadratic. */
const plainly = (text: string) =>
  [...text.matchAll(/https?:\/\/[^\s<>"'{}]+/g)].map(({ 0: found, index }) => ({
    url: found.replace(/[.,;:!?)\]*_~]+$/, ''),
    index,
    next: text[index + found.length] ?? '',
  }))

it('finds addresses without the marks behind them', () => {
  expect(webAddressesIn('Veja https://loja.br/bolo?a=1. Ou (http://b.br/x_), e {y}http://c.br/{z}')).toEqual([
    { url: 'https://loja.br/bolo?a=1', index: 5, next: ' ' },
    { url: 'http://b.br/x', index: 35, next: ' ' },
    { url: 'http://c.br/', index: 57, next: '{' },
  ])
})

it('finds in any text what a search back from every mark finds', () => {
  const pieces = fc.constantFrom(
    'http://',
    'https://',
    'a.br',
    '/x',
    '.',
    '...',
    ')',
    '*',
    '_',
    '{',
    '}',
    ' ',
    '\n',
    '<',
    'é',
    '😀',
  )
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
      (text) => {
        expect(webAddressesIn(text)).toEqual(plainly(text))
      },
    ),
  )
})

it('comes to the end of a row of marks', () => {
  const row = `http://a${'.,;:!?)]*_~'.repeat(100_000)}`
  expect(webAddressesIn(row).map(({ url }) => url)).toEqual(['http://a'])
  expect(webAddressesIn(`${row}b`).map(({ url }) => url)).toEqual([`${row}b`])
})
