import { expect, it } from 'vitest'
import { onlyThanks } from './only-thanks.ts'

it.each([
  'obrigado',
  'Muito obrigada!',
  'valeu 🙏',
  'ok',
  'Ok, obrigado, até amanhã',
  '👍',
  '🙏🏽🙏🏽',
  'ótimo, muito obrigado viu',
  'vlw!!',
])('thanks and nothing else: %s', (text) => expect(onlyThanks(text)).toBe(true))
it.each([
  '',
  ' ',
  '?',
  'obrigado?',
  'oi',
  'ok, e quanto custa o bolo',
  'obrigado, mas queria outro',
  '😡',
  '👎',
  'bom dia, quero pão',
  'muito',
  '1',
  'até amanhã',
  'x '.repeat(9999),
])('more than thanks, or none: %s', (text) => expect(onlyThanks(text)).toBe(false))
