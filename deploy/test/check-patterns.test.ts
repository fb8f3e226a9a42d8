import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Found {
  file: string
  line: number
  text: string
  pattern: { source: string; flags: string } | undefined
}
interface Exemption {
  file: string
  start: string
  reason: string
  checkedAs?: RegExp
}
const {
  exempt,
  faultsOf,
  isPlainlyLinear,
  patternsIn,
}: {
  exempt: readonly Exemption[]
  faultsOf: (patterns: readonly Found[], exemptions: readonly Exemption[]) => Promise<string[]>
  isPlainlyLinear: (pattern: { source: string; flags: string }) => boolean
  patternsIn: (file: string, source: string) => Found[]
} = await import(join(import.meta.dirname, '../../scripts/check-patterns.mjs'))

// scripts/test.mjs runs the check over all sources; it is too slow to repeat here.
describe('the check of regular expressions', () => {
  it('finds them however they are written, and calls that are as bad', () => {
    const source = `
      const a: RegExp = /x+$/gu, b = new RegExp('y+', 'i'), c = RegExp(\`\${name}\`), d = 4 / 2 / 1, e = '/no/'
      const f = <T,>(text: T) => String(text).normalize('NFD') + graphemes.segment(text) + session.segment(a, b)
    `
    expect(patternsIn('a.ts', source).map(({ line, text, pattern }) => [line, text, pattern])).toEqual([
      [2, '/x+$/gu', { source: 'x+$', flags: 'gu' }],
      [2, "new RegExp('y+', 'i')", { source: 'y+', flags: 'i' }],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands in the source
      [2, 'RegExp(`${name}`)', undefined],
      [3, ".normalize('NFD')", undefined],
      [3, '.segment(text)', undefined],
    ])
  })

  it('names those that take more time than in proportion to the text, and nothing else', async () => {
    const source = `
      const bad = /[.,;]+$/
      const worse = /^(a+)+$/
      const good = /^[.,;]+$/
      const short = /^(?:[.,;]{1,9})$/
      const counted = /\\{([a-z][a-z0-9_]{0,39})\\}/gi
      const unknown = new RegExp(name)
    `
    const faults = await faultsOf(patternsIn('a.ts', source), [])
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['a.ts:2', 'a.ts:3', 'a.ts:7'])
  })

  it('passes over what is exempt, checks what stands for it, and names what is exempt no more', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: they stand in the source
    const source = 'const a = new RegExp(`${name}+$`), b = new RegExp(`^${name}$`)'
    const exemptions = [
      { file: 'a.ts', start: 'new RegExp(`$', reason: 'short', checkedAs: /a+$/ },
      { file: 'a.ts', start: 'new RegExp(`^', reason: 'short' },
      { file: 'b.ts', start: '/x+$/', reason: 'gone' },
    ]
    const faults = await faultsOf(patternsIn('a.ts', source), exemptions)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['a.ts:1', 'b.ts'])
    expect(exempt.every(({ reason }) => reason.length > 0)).toBe(true)
  })

  it.each([
    ['^[\\w.-]{1,100}$', true],
    ['\\d{4}-\\d\\d', true],
    ['[a*]{3}', true],
    ['^a*$', true],
    ['^(image\\/(png|gif)|audio\\/[\\w.+-]+)$', true],
    ['^[0-9a-f]{64,}$', true],
    ['a*', false],
    ['^a*|b*$', false],
    ['^a*b*$', false],
    ['(a{1,3}){0,63}', false],
    ['^(a+)+$', false],
    ['^(?:a|b)+', false],
    ['^(.{1,3})\\1$', true],
    ['a{1,100}b{1,100}', false],
  ])('sees of %s whether it is plainly linear: %s', (source, expected) => {
    expect(isPlainlyLinear({ source, flags: '' })).toBe(expected)
    expect(isPlainlyLinear({ source, flags: 'm' })).toBe(expected && !/[*+]|,}/.test(source.replace(/\[.*?\]/g, '')))
  })
})
