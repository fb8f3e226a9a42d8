import { expect, it } from 'vitest'
import { visibleName } from './visible-name.ts'

it.each([
  ['Ana Souza', 'Ana Souza'],
  ['  Ana\tSouza\n', 'Ana Souza'],
  ['🌻 Padaria 🥐', '🌻 Padaria 🥐'],
  ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
  ['🇧🇷❤️👍🏽', '🇧🇷❤️👍🏽'],
  ['سارة می‌خواهم', 'سارة می‌خواهم'],
  ['José e Conceição', 'José e Conceição'],
])('%j is seen as %j', (name, seen) => expect(visibleName(name)).toBe(seen))

it('marks that turn the text around them, or that nobody sees, are left out', () => {
  expect(visibleName('\u202Egnp.anA\u202C')).toBe('gnp.anA')
  expect(visibleName('\u200EA\u200Bna\u2066 Souza\u2069\uFEFF')).toBe('Ana Souza')
})

it.each([
  ['', 'nothing'],
  ['\u200B\u200E\u200F', 'marks'],
  ['\u3164', 'a letter that is drawn as nothing'],
  ['\u2800 \u115F', 'others'],
  ['\u200D\uFE0F', 'joiners alone'],
])('%j is no name: %s', (name) => expect(visibleName(name)).toBe(''))
