// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lagOf, readModelName, restOf, workerName } from './maintenance-words.ts'

const root = join(import.meta.dirname, '../../../../..')

const sources = ['services', 'projections']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter(
    (path) => /\/src\/.*\.ts$/.test(path) && !/node_modules|\.(test|contract)\.ts$|\/testing\/|sandbox/.test(path),
  )
  .map((path) => readFileSync(join(root, path), 'utf8'))
const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name))),
]

describe('the words of the tab Manutenção', () => {
  it('name every reactor, timer and read model that the sources have', () => {
    const reactors = found(/name(?: =|:) '([a-z]+(?:-[a-z]+)*-on-[a-z-]+)'/g)
    const timers = found(/^ {2,4}kind: '([a-z]+-[a-z-]+)',\n/gm)
    const readModels = found(/Projection<\w+>[^\n]*{\n\s*name: '([a-z-]+)'/g)
    expect([reactors.length, timers.length, readModels.length].every((length) => length > 1)).toBe(true)
    expect(reactors.filter((name) => workerName(`reactor ${name}`) === `reactor ${name}`)).toEqual([])
    expect(timers.filter((name) => workerName(`timer ${name}`) === `timer ${name}`)).toEqual([])
    expect(readModels.filter((name) => readModelName(name) === name)).toEqual([])
  })

  it('leave what they do not know as it is', () => {
    expect(workerName('reactor greet-on-contact-named')).toBe('reactor greet-on-contact-named')
    expect(workerName('projection contact-list')).toBe('Manter em dia: Lista de conversas')
    expect(workerName('projection from-elsewhere')).toBe('Manter em dia: from-elsewhere')
  })

  it('promise no more than is known', () => {
    expect(restOf({ percent: 0, secondsLeft: null })).toBe('calculando o tempo')
    expect(restOf({ percent: 90, secondsLeft: 12 })).toBe('falta menos de 1 min')
    expect(restOf({ percent: 50, secondsLeft: 75 })).toBe('faltam cerca de 2 min')
    expect(restOf({ percent: 10, secondsLeft: 3700 })).toBe('falta cerca de 1 hora')
    expect(restOf({ percent: 100, secondsLeft: 0 })).toBe('terminando')
  })

  it('measure in what the log counts', () => {
    expect([lagOf(0, 'events'), lagOf(1, 'events'), lagOf(2000, 'bytes')]).toEqual(['—', '1 evento', '2 kB'])
  })
})
