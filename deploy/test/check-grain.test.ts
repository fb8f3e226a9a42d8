import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Counts = Record<'folders' | 'files' | 'functions' | 'smallFiles', Record<string, number>>

const {
  measure,
  compare,
}: {
  measure: (sources: string[], read: (file: string) => string) => Counts
  compare: (found: Counts, allowed: Counts) => string[]
} = await import(join(import.meta.dirname, '../../scripts/check-grain.mjs'))

const measured = (sources: Record<string, string>) => measure(Object.keys(sources), (file) => sources[file] ?? '')
const nothing: Counts = { folders: {}, files: {}, functions: {}, smallFiles: {} }
const lines = (count: number) => 'work()\n'.repeat(count)
const folder = (count: number, name = (index: number) => `a${index}.ts`) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`projections/src/labels/${name(index)}`, '']))

describe('the check of the grain', () => {
  it('finds folders of more than 25 sources, tests aside', () => {
    expect(measured(folder(25))).toEqual(nothing)
    expect(measured(folder(26)).folders).toEqual({ 'projections/src/labels': 26 })
    expect(measured(folder(26, (index) => `a${index}.test.ts`))).toEqual(nothing)
  })

  it('finds functions of more than 80 lines and files of more than 400', () => {
    const file = 'web/src/lib/a.ts'
    expect(measured({ [file]: `const a = () => {\n${lines(78)}}\n` })).toEqual(nothing)
    expect(measured({ [file]: `const a = () => {\n${lines(79)}}\n` }).functions).toEqual({ [file]: 1 })
    expect(measured({ [file]: lines(400) })).toEqual(nothing)
    expect(measured({ [file]: lines(401) }).files).toEqual({ [file]: 401 })
  })

  it('finds short files with one importer, by a relative path or a package, tests aside', () => {
    const a = 'contracts/src/values/a.ts'
    const relative = { 'contracts/src/values/b.ts': "import { a } from './a.ts'" }
    const byPackage = { 'projections/src/b.ts': "import type { A } from '@prosa/contracts/values/a'" }
    const test = { 'contracts/src/values/a.test.ts': "import { a } from './a.ts'" }
    expect(measured({ [a]: lines(39), ...relative, ...test }).smallFiles).toEqual({ contracts: 1 })
    expect(measured({ [a]: lines(39), ...byPackage }).smallFiles).toEqual({ contracts: 1 })
    expect(measured({ [a]: lines(39), ...relative, ...byPackage })).toEqual(nothing)
    expect(measured({ [a]: lines(40), ...relative })).toEqual(nothing)
    expect(measured({ [a]: lines(39), ...test })).toEqual(nothing)
  })

  it('lets the record shrink only, and asks for it', () => {
    const record = { ...nothing, smallFiles: { web: 2 } }
    expect(compare(record, record)).toEqual([])
    expect(compare({ ...nothing, smallFiles: { web: 3 } }, record)).toEqual([expect.stringContaining('web: 3 files')])
    expect(compare({ ...nothing, smallFiles: { web: 1 } }, record)).toEqual([expect.stringContaining('from 2 to 1')])
    expect(compare({ ...nothing, functions: { 'a.ts': 1 } }, nothing)).toEqual([expect.stringContaining('a.ts: 1')])
  })
})
