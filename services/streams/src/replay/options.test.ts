import { describe, expect, it } from 'vitest'
import { optionsOf } from './options.ts'
import { fingerprintOf } from './question.ts'
import { UsageError } from './replay-error.ts'

const base = ['--url', 'https://prosa.example/app', '--to', 'eventos.ndjson']
const of = (...args: string[]) => optionsOf([...base, ...args], {})

describe('the options of a replay', () => {
  it('are those of the API', () => {
    const position = 'Zm9v'.repeat(16)
    const options = of('--service', 'contacts', '--service', 'billing', '--from', '2026-11-21', '--until', position)
    expect(options?.question).toEqual({
      url: 'https://prosa.example',
      services: ['contacts', 'billing'],
      types: [],
      tenant: undefined,
      after: undefined,
      since: '2026-11-21T00:00:00.000Z',
      upTo: position,
      until: undefined,
    })
    expect(options?.destination).toEqual({ kind: 'file', path: 'eventos.ndjson', format: 'ndjson' })
    expect(optionsOf(['--to', '-'], { PROSA_URL: 'http://localhost:3000' })?.question.url).toBe('http://localhost:3000')
    expect(of('--help')).toBeUndefined()
  })

  it.each([
    ['2026-11-21T14:30', '2026-11-21T14:30:00.000Z'],
    ['2026-11-21 14:30:05.5', '2026-11-21T14:30:05.500Z'],
    ['2026-11-21T14:30:00-03:00', '2026-11-21T17:30:00.000Z'],
    ['2026-11-21T14:30:00Z', '2026-11-21T14:30:00.000Z'],
  ])('takes %s as an instant', (text, since) => expect(of('--from', text)?.question.since).toBe(since))

  it('knows speeds', () => {
    expect([of('--speed', '60x')?.speed, of('--speed', '0,5x')?.speed, of('--speed', '2')?.speed, of()?.speed]).toEqual(
      [60, 0.5, 2, undefined],
    )
  })

  it.each([
    [['--to', 'eventos.xls'], /não termina em/],
    [['--to', 'kafka:dois tópicos'], /não é nome de um tópico/],
    [['--url', 'prosa.example'], /não é um endereço/],
    [['--url', 'file:///etc/passwd'], /não é um endereço/],
    [['--from', 'ontem'], /não é um instante/],
    [['--from', '2026-13-41'], /não é um instante/],
    [['--from', '2026-11-22', '--until', '2026-11-21'], /nada ficaria entre eles/],
    [['--speed=-1x'], /não é uma velocidade/],
    [['--speed', '0'], /não é uma velocidade/],
    [['--follow', '--until', '2026-11-21'], /não tem fim/],
    [['--velocidade', '60x'], /Não há a opção --velocidade/],
    [['sobrando'], /Não esperava 'sobrando'/],
    [['--to'], /--to/],
  ])('refuses %j in a sentence', (args, sentence) => {
    expect(() => of(...args)).toThrow(UsageError)
    expect(() => of(...args)).toThrow(sentence)
  })

  it('makes the same question of the same words in another order', () => {
    const one = of('--service', 'contacts', '--service', 'billing')
    const other = of('--service', 'billing', '--service', 'contacts')
    expect(one && fingerprintOf(one.question)).toBe(other && fingerprintOf(other.question))
    const third = of('--service', 'billing')
    expect(one && fingerprintOf(one.question)).not.toBe(third && fingerprintOf(third.question))
  })
})
