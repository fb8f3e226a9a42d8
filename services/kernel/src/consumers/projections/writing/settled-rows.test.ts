import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SettledRows } from './settled-rows.ts'

type Step = { set: string } | { delete: string } | 'rest'

const key = fc.constantFrom(...'abcdefgh')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ set: key }),
  fc.record({ delete: key }),
  fc.constant('rest' as const),
)

const written = (steps: readonly Step[]) => {
  const rows = new SettledRows<{ key: string; change: number }>()
  const copied: { key: string; change: number }[] = []
  steps.forEach((each, change) => {
    if (each === 'rest') copied.push(...rows.takeSettled())
    else if ('set' in each) rows.set(each.set, { key: each.set, change })
    else rows.delete(each.delete)
  })
  copied.push(...rows.others())
  const { keys, rows: corrected } = rows.corrections()
  const table = [...copied.filter((row) => !keys.includes(row.key)), ...corrected]
  return { rows, copied, table }
}

describe('rows that are written while others still change', () => {
  it('are in the end what they should be, each once, whatever happened in between', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { rows, table } = written(steps)
        const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)
        expect(table.sort(byKey)).toEqual([...rows].map(([, row]) => row).sort(byKey))
      }),
    )
  })

  it('are handed out once they have not changed from one rest to the next', () => {
    const rows = new SettledRows<number>()
    rows.set('a', 1)
    expect(rows.takeSettled()).toEqual([])
    rows.set('b', 2)
    expect(rows.takeSettled()).toEqual([1])
    rows.set('b', 3)
    expect(rows.takeSettled()).toEqual([])
    expect(rows.takeSettled()).toEqual([3])
    expect(rows.corrections()).toEqual({ keys: [], rows: [] })
  })

  it('are all kept to the end once too many came back', () => {
    const rows = new SettledRows<number>()
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 3000; index++) rows.set(`${index}`, round)
      rows.takeSettled()
      rows.takeSettled()
    }
    expect(rows.corrections().keys.length).toBe(3000)
    rows.set('new', 7)
    rows.takeSettled()
    expect(rows.takeSettled()).toEqual([])
    expect(rows.others()).toEqual([7])
  })
})
