import { expect, it } from 'vitest'
import { filledText, firstNameOf, sendableText } from './filled-text.ts'

it('{nome} is the first name of the contact, and {empresa} the name of the business', () => {
  expect(filledText('Oi {nome}, tudo bem, {NOME}?', firstNameOf('  Ana Souza '), '')).toBe('Oi Ana, tudo bem, Ana?')
  expect(filledText('Oi {nome}, aqui é da {empresa}.', 'Ana', 'Padaria Sol')).toBe('Oi Ana, aqui é da Padaria Sol.')
})

it('what nobody knows leaves no gap', () => {
  expect(filledText('Oi {nome}! Tudo bem?', firstNameOf(null), '')).toBe('Oi! Tudo bem?')
  expect(filledText('Equipe {empresa}', '', '')).toBe('Equipe')
  expect(firstNameOf('🌸 Flor')).toBe('')
})

it('what is put in is taken as it is, whatever it contains', () => {
  expect(filledText('Oi {nome}', '$& {empresa}', 'Sol')).toBe('Oi $& {empresa}')
  expect(filledText('Oi {cidade}', 'Ana', 'Sol')).toBe('Oi {cidade}')
})

it('is no longer than can be sent, and ends with a whole character', () => {
  expect(sendableText('Oi')).toBe('Oi')
  expect(sendableText(`a${'😀'.repeat(3000)}`)).toBe(`a${'😀'.repeat(2047)}`)
})

it('a variable of an own field is its value, empty without one, and other names stay', () => {
  const fields = { cidade: 'Natal', cpf: '' }
  expect(filledText('Oi {nome}, de {Cidade}, CPF {cpf}.', 'Ana', 'Sol', fields)).toBe('Oi Ana, de Natal, CPF.')
  expect(filledText('{constructor} {pedido}', 'Ana', 'Sol', fields)).toBe('{constructor} {pedido}')
  expect(filledText('{nome}', 'Ana', 'Sol', { nome: 'outro' })).toBe('Ana')
})
