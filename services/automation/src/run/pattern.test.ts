import { RE2JS } from 're2js'
import { describe, expect, it, vi } from 'vitest'
import { flowProblems } from '../flow-problems.ts'
import { patternBudget, patternStates, patternsWithin } from './pattern.ts'
import { conversationWith } from './testing/conversation-with.ts'
import { flowOf, nodeOf } from './testing/flow-of.ts'

const condition = (id: string, pattern: string) =>
  nodeOf(id, 'condition', { test: { kind: 'matches', variable: 'resposta', pattern } })

const rowOfPatterns = (patterns: readonly string[]) =>
  flowOf(
    [
      nodeOf('start', 'trigger'),
      ...patterns.map((pattern, index) => condition(`c${index}`, pattern)),
      nodeOf('end', 'message', { message: 'fim' }),
    ],
    [
      'start > c0',
      ...patterns.flatMap((_, index) => {
        const next = index < patterns.length - 1 ? `c${index + 1}` : 'end'
        return [`c${index} true > ${next}`, `c${index} false > ${next}`]
      }),
    ],
  )

const heavy = (index: number) => `(?i)(${index}|\\p{L}|\\p{N}){100}`
const heavyOnes = Array.from({ length: 990 }, (_, index) => heavy(index))

const compilingOf = (work: () => void): number => {
  const compile = vi.spyOn(RE2JS, 'compile')
  try {
    work()
    return compile.mock.calls.length
  } finally {
    compile.mockRestore()
  }
}

describe('the patterns of a flow', () => {
  it('are compiled once each', () => {
    const flow = rowOfPatterns(Array.from({ length: 300 }, (_, index) => `^pedido ${index % 3}$`))
    expect(compilingOf(() => expect(flowProblems(flow)).toEqual([]))).toBe(3)
    expect(compilingOf(() => flowProblems(flow))).toBe(0)
  })

  it('may have so many characters and states together; beyond, each is an error and is not compiled', () => {
    const flow = rowOfPatterns(heavyOnes)
    const compiled = compilingOf(() => {
      const problems = flowProblems(flow)
      expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['bad_pattern']))
      expect(problems.length).toBeGreaterThan(900)
      expect(problems.every(({ sentence }) => sentence.includes('juntos'))).toBe(true)
      expect(problems[0]?.nodeId).not.toBe('c0')
    })
    expect(compiled).toBeLessThanOrEqual(patternBudget.states / 200)
  })

  it('count once where the same is asked again', () => {
    const pattern = `^${'[a-z]'.repeat(90)}$`
    expect(flowProblems(rowOfPatterns(Array.from({ length: 500 }, () => pattern)))).toEqual([])
  })
})

describe('the patterns of one decision', () => {
  it('end the run where they would cost more, whatever was published before', () => {
    const ana = conversationWith({ f: rowOfPatterns(heavyOnes.slice(0, 190)) })
    const compiled = compilingOf(() => ana.writes('á'.repeat(65_000)))
    expect(ana.ends()).toEqual(['too_many_steps'])
    expect(ana.sent()).toEqual([])
    expect(compiled).toBeLessThan(patternBudget.characters / heavy(0).length)
  })

  it('cost nothing where the same is asked again, and do not end a run of many small ones', () => {
    const ana = conversationWith({ f: rowOfPatterns(Array.from({ length: 150 }, (_, index) => `^${index % 99}$`)) })
    ana.writes('7')
    expect(ana.sent()).toEqual(['fim'])
    const patterns = patternsWithin({ characters: 10, states: 20 })
    for (let index = 0; index < 100; index++) expect(patterns.matches('^a+$', 'aaa')).toBe(true)
    expect(patterns.isUsedUp()).toBe(false)
    expect(patterns.matches('^abcdefghi$', 'abcdefghi')).toBe(false)
    expect(patterns.isUsedUp()).toBe(true)
  })

  it('may cost the whole budget', () => {
    const patterns = patternsWithin({ characters: 5, states: patternStates('^abc$') ?? 0 })
    expect(patterns.matches('^abc$', 'abc')).toBe(true)
    expect(patterns.isUsedUp()).toBe(false)
    expect(patterns.matches('^abd$', 'abd')).toBe(false)
    expect(patterns.isUsedUp()).toBe(true)
  })
})
