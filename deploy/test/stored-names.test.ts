import { join } from 'node:path'
import { renamedCommands } from '@prosa/contracts/stored-commands'
import { renamedReactors, storedNames } from '@prosa/contracts/stored-names'
import { categories } from '@prosa/contracts/streams'
import { describe, expect, it } from 'vitest'
import released from './stored-names.json' with { type: 'json' }

const { findStoredNames }: { findStoredNames: () => Record<keyof typeof storedNames, string[]> } = await import(
  join(import.meta.dirname, '../../scripts/stored-names.mjs')
)

const kinds = Object.keys(storedNames) as (keyof typeof storedNames)[]
const missing = (names: readonly string[], among: readonly string[]) => names.filter((name) => !among.includes(name))

describe('what is stored, or stored ids derive from', () => {
  it.each(kinds)('stands in stored-names.ts: %s', (kind) => {
    const inSources = findStoredNames()[kind].map((name) =>
      kind === 'commands' ? (renamedCommands[name] ?? name) : name,
    )
    expect(missing(inSources, storedNames[kind])).toEqual([])
  })

  it.each(kinds)('stays for ever: %s (add what is new to stored-names.json too)', (kind) => {
    expect(missing(released[kind], storedNames[kind])).toEqual([])
    expect(missing(storedNames[kind], released[kind])).toEqual([])
  })

  it('are categories of streams, too', () => {
    expect(missing(released.categories, Object.keys(categories))).toEqual([])
    expect(missing(Object.keys(categories), released.categories)).toEqual([])
  })

  it('keeps its stored name where the code says another', () => {
    expect(missing(Object.values(renamedReactors), storedNames.consumers)).toEqual([])
    expect(missing(Object.values(renamedCommands), storedNames.commands)).toEqual([])
    expect(renamedCommands).toMatchObject({ ReceiveFromContact: 'HearFromContact' })
  })
})
