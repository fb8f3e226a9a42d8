import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import { plainText } from '@prosa/contracts/values/text/plain-text'
import { maximumReadLength } from '@prosa/contracts/values/text/readable-text'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Candidate, flowSetOffBy } from './choose-flow.ts'
import { noRuns } from './flow-run-state.ts'
import { keywordIndex } from './keyword-index.ts'
import { flowOf, nodeOf } from './testing/flow-of.ts'

type Keyword = Extract<FlowStart, { kind: 'keyword' }>

const startedBy = (start: FlowStart, index: number): Candidate => ({
  flowId: `flow ${index}`,
  version: 1,
  document: flowOf([nodeOf('t', 'trigger', { start })], []),
})

const now = '2026-11-23T12:00:00.000Z'
const message = { now, writtenAt: now, connectionId: 'line', isFirst: false, isOutOfHours: false }
const chosen = (candidates: readonly Candidate[], text: string) =>
  flowSetOffBy({ ...message, candidates, text, defaultFlowId: null }, noRuns)

/** Reference: searches each word at each position. */
const plainly = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
const isPartOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const stands = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) return true
  return false
}
const isNamed = ({ words, match }: Keyword, text: string) =>
  words
    .map(plainly)
    .some((word) => word !== '' && (match === 'equals' ? plainly(text) === word : stands(plainly(text), word)))

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    'ab',
    'ba',
    'é',
    'e\u0301',
    '\u0301',
    '\u0323',
    ' ',
    '  ',
    '\n',
    '!',
    '-',
    '.',
    '1',
    '12',
    '😀',
    '👍🏽',
    '\ud83d',
    '\ude00',
  ],
  ...['ß', 'İ', 'ﷺ', '각', '\uff9e', '{', '}', '@', '𝓪', '\u00a0', '\u200b'],
)
const anyText = (maxLength: number) => fc.array(piece, { maxLength }).map((all) => all.join(''))
const keyword: fc.Arbitrary<Keyword> = fc.record({
  kind: fc.constant('keyword'),
  match: fc.constantFrom('equals', 'contains'),
  words: fc.array(anyText(4), { maxLength: 5 }),
})

describe('the flow that is set off by a word', () => {
  it('is the first of which a word is, or stands in, the message, whatever words and messages', () => {
    fc.assert(
      fc.property(fc.array(keyword, { maxLength: 12 }), anyText(14), (starts, text) => {
        const expected = starts.findIndex((start) => isNamed(start, text))
        expect(chosen(starts.map(startedBy), text)?.flow.flowId).toBe(expected < 0 ? undefined : `flow ${expected}`)
      }),
      { numRuns: 3000 },
    )
  })

  it('is found in messages that are made of the words themselves', () => {
    const texts = fc.array(fc.tuple(keyword, fc.nat(4)), { minLength: 1, maxLength: 8 }).chain((all) => {
      const starts = all.map(([start]) => start)
      const words = starts.flatMap(({ words }) => words)
      const part = words.length > 0 ? fc.oneof(fc.constantFrom(...words), piece) : piece
      return fc.tuple(
        fc.constant(starts),
        fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      )
    })
    fc.assert(
      fc.property(texts, ([starts, text]) => {
        const named = keywordIndex(
          starts.map(({ match, words }, index) => ({ flowId: String(index), match, words: words.map(plainText) })),
        ).flowsIn(plainText(text))
        const expected = starts.flatMap((start, index) => (isNamed(start, text) ? String(index) : []))
        expect([...named].sort()).toEqual(expected.sort())
      }),
      { numRuns: 3000 },
    )
  })

  it('is not named by half of a word at the end of what is read', () => {
    const flows = [startedBy({ kind: 'keyword', words: ['promo'], match: 'contains' }, 0)]
    const before = '. '.repeat(maximumReadLength / 2 - 3)
    expect(chosen(flows, `${before}promo`)).toBeDefined()
    expect(chosen(flows, `${before}promo ${'x'.repeat(60_000)}`)).toBeDefined()
    expect(chosen(flows, `${before} promocional`)).toBeUndefined()
    expect(chosen(flows, 'promo'.repeat(13_000))).toBeUndefined()
    expect(chosen(flows, `${'. '.repeat(30_000)}promo`)).toBeUndefined()
  })
})

describe('a thousand flows of fifty words', () => {
  const flowsOf = (flows: number, wordOf: (number: number) => string) =>
    Array.from({ length: flows }, (_, flow) =>
      startedBy(
        {
          kind: 'keyword',
          match: 'contains',
          words: Array.from({ length: 50 }, (_, word) => wordOf(flow * 50 + word)),
        },
        flow,
      ),
    )
  const indexOf = (flows: readonly Candidate[]) =>
    keywordIndex(
      flows.flatMap(({ flowId, document: { nodes } }) =>
        nodes.flatMap((node) =>
          node.type === 'trigger' && node.data.start.kind === 'keyword' ? [{ ...node.data.start, flowId }] : [],
        ),
      ),
    )
  const stepsFor = (flows: readonly Candidate[], text: string) => {
    const count = { steps: 0 }
    indexOf(flows).flowsIn(plainText(text), count)
    return count.steps
  }

  it('has a message and each of its words made plain once, however many messages there are', () => {
    const flows = flowsOf(1000, (number) => `palavra ${number}`)
    chosen(flows, 'oi')
    const normalize = vi.spyOn(String.prototype, 'normalize')
    try {
      expect(chosen(flows, 'quero a palavra 49999')?.flow.flowId).toBe('flow 999')
      expect(normalize).toHaveBeenCalledTimes(1)
    } finally {
      normalize.mockRestore()
    }
  })

  it.each([
    ['letters', 'a'.repeat(65_000)],
    ['words', 'a '.repeat(32_500)],
    ['blanks', ' '.repeat(65_000)],
    ['dots', '.'.repeat(65_000)],
    ['marks', 'a\u0301\u0323'.repeat(21_000)],
    ['halves of characters', '\ud83d'.repeat(65_000)],
    ['one character that becomes eighteen', 'ﷺ'.repeat(65_000)],
    ['digits', '1234567890'.repeat(6500)],
    ['braces', '{@}'.repeat(21_000)],
  ])(
    'looks at a message of 65,000 %s as long as at the beginning of it, and little longer than ten flows do',
    (_, text) => {
      const wordOf = (number: number) => `${text.slice(0, 20)}${number}`
      const [many, few] = [flowsOf(1000, wordOf), flowsOf(10, wordOf)]
      const steps = stepsFor(many, text)
      expect(steps).toBe(stepsFor(many, text.slice(0, 2 * maximumReadLength)))
      // Binary search takes 16 steps, twice that for shared prefixes.
      expect(steps).toBeLessThanOrEqual(maximumReadLength * 32)
      expect(steps).toBeLessThanOrEqual(2 * stepsFor(few, text) + 32)
    },
  )

  it('looks at words that begin with one another no longer than they are deep', () => {
    const flows = flowsOf(1, (number) => 'a '.repeat(number + 1))
    expect(stepsFor(flows, 'a '.repeat(32_500))).toBeLessThanOrEqual((maximumReadLength / 2) * (50 + 6))
  })
})
