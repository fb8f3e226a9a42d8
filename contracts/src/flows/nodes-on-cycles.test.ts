import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodesOnCycles } from './nodes-on-cycles.ts'

type Links = { source: string; target: string }[]

const plainly = (links: Links) =>
  [...new Set(links.map(({ source }) => source))].filter((id) => {
    const reached = new Set(links.flatMap(({ source, target }) => (source === id ? target : [])))
    for (const each of reached) for (const { source, target } of links) if (source === each) reached.add(target)
    return reached.has(id)
  })

it('are those from which some way leads back', () => {
  const node = fc.constantFrom(...'abcdefghij')
  fc.assert(
    fc.property(fc.array(fc.record({ source: node, target: node }), { maxLength: 18 }), (links) => {
      expect([...nodesOnCycles(links)].sort()).toEqual(plainly(links).sort())
    }),
    { numRuns: 2000 },
  )
})

it('are found by following each link twice, in the largest flow and however long its way', () => {
  let followed = 0
  const links = Array.from({ length: 100_000 }, (_, index) => ({
    source: String(index),
    get target() {
      followed++
      return String((index + 1) % 100_000)
    },
  }))
  expect(nodesOnCycles(links).size).toBe(100_000)
  expect(followed).toBeLessThanOrEqual(4 * links.length)
})
