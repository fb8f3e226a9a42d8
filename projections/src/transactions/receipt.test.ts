import { at } from '@prosa/kernel/consumers/testing/test-log'
import { expect, it } from 'vitest'
import { printable, type Receipt, receiptPdf } from './receipt.ts'

const receipt: Receipt = {
  transaction: {
    id: '7ea1',
    transactionId: 'aBcDeF1',
    createdAt: '2026-06-08T14:53:00.000Z',
    event: 'compra_aprovada',
    amount: 123_456,
    planName: null,
    productName: 'Prosa Profissional, versão única 🚀',
    status: 'approved',
    paymentMethod: 'pix',
  },
  seller: { name: 'Prosa Soluções Ltda.', document: '12.345.678/0001-90' },
  buyer: { name: 'João Conceição', email: 'joao@example.com' },
  issuedAt: at(0),
}

/** Hexadecimal Windows-1252 in arrays with kerning. */
const textsOf = async (of: Receipt): Promise<string[]> => {
  const source = (await receiptPdf(of, { compress: false })).toString('latin1')
  return [...source.matchAll(/\[([^\]]*)\] TJ/g)].map(([, array = '']) =>
    new TextDecoder('windows-1252').decode(
      Buffer.from([...array.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits).join(''), 'hex'),
    ),
  )
}

it('a receipt names seller, buyer, what was paid, when and how, with every accent', async () => {
  const texts = await textsOf(receipt)
  for (const expected of [
    'Recibo',
    'Nº aBcDeF1',
    'Prosa Soluções Ltda.',
    '12.345.678/0001-90',
    'João Conceição',
    'joao@example.com',
    'Prosa Profissional, versão única ?',
    '8 de junho de 2026 às 11:53 (horário de Brasília)',
    'Pix',
    'Aprovado',
    'R$ 1.234,56',
  ])
    expect(texts).toContain(expected)
  expect(texts.join(' ')).toContain('não é uma nota fiscal')
})

it('a receipt of a business names it, before the person, with its address', async () => {
  const company = { name: 'Padaria Sol Ltda.', address: 'Rua das Flores, 10' }
  const texts = await textsOf({ ...receipt, buyer: { name: 'João', email: 'joao@example.com', company } })
  const buyer = texts.slice(texts.indexOf('Comprador') + 1)
  expect(buyer.slice(0, 4)).toEqual(['Padaria Sol Ltda.', 'João', 'joao@example.com', 'Rua das Flores, 10'])
})

it('what was not paid, or not reported, is no receipt and is named so', async () => {
  const { transaction, seller, issuedAt } = receipt
  const nothing = { amount: null, productName: null, paymentMethod: null, status: 'pending' } as const
  const texts = await textsOf({ transaction: { ...transaction, ...nothing }, seller, buyer: null, issuedAt })
  expect(texts).toContain('Demonstrativo')
  expect(texts).not.toContain('Recibo')
  expect(texts.filter((text) => text === 'Não informado')).toHaveLength(3)
})

it('text that the fonts cannot print comes without its marks', () =>
  expect(printable(' Łukasz\nNguyễn Ção \u0000 漢 ')).toBe('?ukasz Nguyen Ção ?'))
