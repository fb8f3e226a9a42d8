import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Inline, messageFormat, writtenAs } from './message-format.ts'

const shown = (text: string): string => {
  const inline = (part: Inline): string => {
    if ('children' in part) return `<${part.kind}>${part.children.map(inline).join('')}</>`
    return part.kind === 'text' ? part.text : `<${part.kind}>${part.text}</>`
  }
  return messageFormat(text)
    .map(({ kind, lines }) => {
      const words = lines.map(({ content }) => content.map(inline).join(''))
      return kind === 'text' ? words.join('\n') : `[${kind}: ${words.join(' | ')}]`
    })
    .join('\n')
}

describe('the formatting of a message', () => {
  it.each([
    ['*negrito* e _itálico_ e ~riscado~', '<bold>negrito</> e <italic>itálico</> e <strike>riscado</>'],
    ['*bolo _de ~cenoura~_*', '<bold>bolo <italic>de <strike>cenoura</></></>'],
    ['(*sim*), *não*.', '(<bold>sim</>), <bold>não</>.'],
    ['2*3*4 e nome_do_arquivo', '2*3*4 e nome_do_arquivo'],
    ['um * solto * e *sem fim', 'um * solto * e *sem fim'],
    ['*um _dois* três_', '<bold>um _dois</> três_'],
    ['** __ ~~ *', '** __ ~~ *'],
    ['*um\ndois*', '*um\ndois*'],
    ['use `*isto*` assim', 'use <code>*isto*</> assim'],
    ['veja ```\n*cru*\n``` aqui', 'veja <mono>\n*cru*\n</> aqui'],
    ['``` sem fim', '``` sem fim'],
    ['*R$ 180,00*!', '<bold>R$ 180,00</>!'],
    ['https://a.br/um_dois_tres *oi*', '<link>https://a.br/um_dois_tres</> <bold>oi</>'],
    ['*https://a.br/x*', '<bold><link>https://a.br/x</></>'],
    ['*ção*', '<bold>ção</>'],
  ])('%j is %j', (text, expected) => expect(shown(text)).toBe(expected))

  it('knows quotes and lists by the beginning of their lines', () => {
    expect(shown('oi\n> ela disse\n> *sim*\nok')).toBe('oi\n[quote: ela disse | <bold>sim</>]\nok')
    expect(shown('- pão\n- leite\n1. um\n2. dois')).toBe('[bullets: pão | leite]\n[numbers: um | dois]')
    expect(shown('* pão *doce*')).toBe('[bullets: pão <bold>doce</>]')
    expect(shown('-5 graus\n1.5 kg')).toBe('-5 graus\n1.5 kg')
  })

  const pieces = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '```',
    '> ',
    '- ',
    '1. ',
    '\n',
    ' ',
    'bolo',
    'á',
    '😀',
    'https://a.br/x_y',
    '.',
  )
  const anyText = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )

  it('loses nothing of any text', () => {
    fc.assert(
      fc.property(anyText, (text) => writtenAs(messageFormat(text)) === text),
      { numRuns: 3000 },
    )
  })

  it.each(['*', '_a ', '*a _b ~c ', '`', '``', '```', '*a* ', '> ', '- a\n', 'https://', 'https://a.', '*_~', 'a* '])(
    'of 160,000 characters that repeat %j takes time that grows with its length only',
    (piece) => {
      const text = piece.repeat(160_000 / piece.length)
      const before = performance.now()
      messageFormat(text)
      // Takes 100 ms; a quadratic scan takes 25 billion steps.
      expect(performance.now() - before).toBeLessThan(5_000)
    },
  )
})
