import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Counts = Record<string, Record<string, number>>
const {
  banned,
  compare,
  findBanned,
}: {
  banned: readonly { word: string; is: RegExp; say: string }[]
  compare: (found: Record<string, Record<string, string[]>>, allowed: Counts) => string[]
  findBanned: (file: string, source: string, free: ReadonlySet<string>) => Map<string, Set<string>>
} = await import(join(import.meta.dirname, '../../scripts/check-words.mjs'))

const found = (source: string, { file = 'services/a/src/plain.ts', free = [] as string[] } = {}) =>
  Object.fromEntries([...findBanned(file, source, new Set(free))].map(([word, names]) => [word, [...names].sort()]))

// scripts/test.mjs runs the check over all sources.
describe('the check of words', () => {
  it('finds banned words in each kind of declaration, as parts of names', () => {
    const source = `
      import { told as wasTold } from './other.ts'
      export const mostRows = 3, longestMs = 5, firstMilliseconds = 1, KEPT_ROWS = 2
      export function unlockKey(sealedText: string, { a: heldRow, ...standingRows }: X, [news] = []) {}
      interface RehearsalResult { inMind: number; letGo(): void }
      type Errand = (suspected: string) => void
      class Broom { #remembered = 1; leadOn() {} }
      try {} catch (heard) {}
      const settings = { doors: 1, plain() {} }
    `
    expect(found(source)).toEqual({
      'at most': ['longestMs', 'mostRows'],
      broom: ['Broom'],
      door: ['doors'],
      errand: ['Errand'],
      hear: ['heard'],
      held: ['heldRow'],
      'in mind': ['inMind'],
      kept: ['KEPT_ROWS'],
      'lead on': ['leadOn'],
      'let go': ['letGo'],
      'lock (encrypt)': ['sealedText', 'unlockKey'],
      milliseconds: ['firstMilliseconds'],
      news: ['news'],
      rehearsal: ['RehearsalResult'],
      remember: ['remembered'],
      standing: ['standingRows'],
      suspect: ['suspected'],
      tell: ['wasTold'],
    })
  })

  it('counts a name where it is declared, not where it is used', () => {
    const source = `
      import { placeOf } from './other.ts'
      const { held, told = 1 } = state
      placeOf(held.kept.standing, { placeOf, told })
    `
    expect(found(source)).toEqual({})
  })

  it('reads texts of log lines and errors, and names of files and errors', () => {
    const source = `
      log.warn({ id }, \`nobody caught this in \${place}\`)
      this.log.error('it says')
      app.log.info(told)
      if (a) throw new Refused('it stands here')
      const error = new TypeError('locked')
      class Wrong extends Error { override name = 'WrongPlace' }
      other('news', 'rehearsal')
    `
    expect(found(source, { file: 'services/a/src/hear-from-contact.test.ts' })).toEqual({
      hear: ['hear-from-contact'],
      'caught this': ['nobody caught this in  '],
      say: ['it says'],
      standing: ['it stands here'],
      'lock (encrypt)': ['locked'],
      place: ['WrongPlace'],
    })
  })

  it('passes over stored names, columns and fields, and not over variables called so', () => {
    const free = ['place', 'hear-from-contact']
    const file = 'services/a/src/hear-from-contact.ts'
    expect(found('interface Row { place: string; sealed_text: Buffer }', { file, free })).toEqual({})
    expect(found('const place = 1', { file, free })).toEqual({ place: ['place'] })
  })

  it('knows other meanings and words that only look alike', () => {
    const source = 'const inTurn = 1, placeholder = 2, almost = 3, atMost = 4, newest = 5, careful = 6, household = 7'
    expect(found(source)).toEqual({})
    expect(found('const turn = 1', { file: 'services/kernel/src/async/turns.ts' })).toEqual({})
  })

  it('says what to say instead where there are more, and asks to lower the record where there are fewer', () => {
    const allowed = { kept: { 'a.ts': 1, 'b.ts': 2, 'gone.ts': 1 } }
    expect(compare({ kept: { 'a.ts': ['keptA', 'keptB'], 'b.ts': ['kept'] } }, allowed)).toEqual([
      "a.ts: 'kept' in keptA, keptB; say stored, cached (2 of them, 1 allowed)",
      "b.ts: 'kept' is there 1 times: lower it to 1 in scripts/banned-words.json",
      "gone.ts: 'kept' is there 0 times: lower it to 0 in scripts/banned-words.json",
    ])
    expect(compare({ kept: { 'a.ts': ['kept'] } }, { kept: { 'a.ts': 1 } })).toEqual([])
  })

  it('has another word for each', () => {
    expect(banned.filter(({ say }) => say === '')).toEqual([])
    expect(new Set(banned.map(({ word }) => word)).size).toBe(banned.length)
  })
})
