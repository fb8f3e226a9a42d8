import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileNameParts } from './file-name.tsx'

describe('the name of a file', () => {
  it.each([
    ['nota.pdf', ['nota.pdf', '']],
    ['Contrato de locação 2026.pdf', ['Contrato de locação ', '2026.pdf']],
    ['um arquivo sem final nenhum', ['um arquivo sem final nenhum', '']],
    ['cópia do backup.final.tar.gz', ['cópia do backup.final', '.tar.gz']],
    ['festa de aniversário 🎂🎂🎂🎂🎂.jpeg', ['festa de aniversário 🎂', '🎂🎂🎂🎂.jpeg']],
  ])('%j keeps its ending in sight', (name, parts) => {
    expect(fileNameParts(name)).toEqual(parts)
  })
  it('is whole in its two parts', () =>
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => fileNameParts(name).join('') === name)))
})
