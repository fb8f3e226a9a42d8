import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { expect, it } from 'vitest'
import { daysLeft, daysLeftWords, whatEnds } from './plan-end.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')

it.each([
  ['2026-11-28T12:00:00.000Z', 7, 'faltam 7 dias'],
  ['2026-11-28T12:00:00.001Z', 8, 'faltam 8 dias'],
  ['2026-11-21T12:00:00.001Z', 1, 'último dia'],
  ['2026-11-21T12:00:00.000Z', 0, undefined],
  ['2026-11-20T12:00:00.000Z', 0, undefined],
  [null, 0, undefined],
])('counts the days up to %s from the one begun', (end, days, words) =>
  expect([daysLeft(end, now), daysLeftWords(end, now)]).toEqual([days, words]),
)

const ending: Pick<Usage, 'access' | 'afterEnd' | 'endsAt' | 'graceEndsAt' | 'limitsAfterEnd'> = {
  access: 'open',
  afterEnd: 'free_plan',
  endsAt: '2026-11-30T15:00:00.000Z',
  graceEndsAt: '2026-12-03T15:00:00.000Z',
  limitsAfterEnd: { messages: 100, connections: 1 },
}
const endOf = (of: Partial<typeof ending>) => whatEnds({ ...ending, ...of } as Usage, now)

it('names what follows the end, and the grace between', () => {
  expect(endOf({})).toMatch(
    /^Se não houver renovação, os mesmos limites valem até 3 de dez\..* Depois, vale o plano gratuito: 100 mensagens por mês e 1 conexão\./,
  )
  expect(
    endOf({ access: 'grace', endsAt: '2026-11-20T15:00:00.000Z', graceEndsAt: '2026-11-23T15:00:00.000Z' }),
  ).toMatch(/^Até 23 de nov\..* ainda valem os limites do plano que terminou\. Depois, vale o plano gratuito/)
  expect(endOf({ afterEnd: 'ended' })).toContain('Depois, nada mais é enviado até você escolher um plano.')
})

it('promises no grace where access was removed, and nothing where nothing ends or all has ended', () => {
  expect(endOf({ graceEndsAt: ending.endsAt })).toMatch(/^Depois de 30 de nov\..*, vale o plano gratuito/)
  expect(endOf({ afterEnd: 'unchanged' })).toBeUndefined()
  expect(endOf({ access: 'ended' })).toBeUndefined()
  expect(endOf({ endsAt: null, graceEndsAt: null })).toBeUndefined()
  expect(endOf({ graceEndsAt: '2026-11-21T12:00:00.000Z' })).toBeUndefined()
})
