import { describe, expect, it } from 'vitest'
import {
  chosen,
  type KnownLine,
  lineAmong,
  linesTogether,
  successorsOf,
  withNumber,
  writtenOver,
  writtenTo,
} from './lines.ts'

const at = (minute: number) => `2026-11-25T12:${String(minute).padStart(2, '0')}:00.000Z`
const own = (connectionId: string, ...phones: string[]) => ({
  connectionId,
  isRemoved: false,
  isOpen: true,
  numbers: phones.reduce<ReturnType<typeof withNumber>>(
    (known, phone, index) => withNumber(known, phone, at(index * 10)),
    [],
  ),
})
const removed = (connectionId: string, ...phones: string[]) => ({ ...own(connectionId, ...phones), isRemoved: true })
const [sales, support] = [own('sales', '551130000001'), own('support', '551130000002')]
const lineOf = (known: readonly KnownLine[], ...connections: ReturnType<typeof own>[]) =>
  lineAmong(known, successorsOf(connections))

describe('the line of a conversation', () => {
  const wroteToBoth = writtenTo(writtenTo([], 'sales', at(1)), 'support', at(2))

  it('is the number that the person wrote to last, also where an earlier message is reported later', () => {
    expect(lineOf(wroteToBoth, sales, support)).toBe('support')
    expect(lineOf(writtenTo(wroteToBoth, 'sales', at(3)), sales, support)).toBe('sales')
    expect(lineOf(writtenTo(writtenTo([], 'support', at(2)), 'sales', at(1)), sales, support)).toBe('support')
  })

  it('is, of two in one second, the one that was recorded later', () => {
    expect(lineOf(writtenTo(writtenTo([], 'support', at(2)), 'sales', at(2)), sales, support)).toBe('sales')
  })

  it('is what an attendant chose, until the person writes again, whoever’s clock is ahead', () => {
    for (const chosenAt of [at(0), at(2), at(59)]) {
      const choice = chosen(wroteToBoth, { connectionId: 'sales', chosenAt, lastReceivedAt: at(2) })
      expect(lineOf(choice, sales, support)).toBe('sales')
      expect(lineOf(writtenTo(choice, 'support', at(3)), sales, support)).toBe('support')
      expect(lineOf(writtenTo(choice, 'support', at(1)), sales, support)).toBe('sales')
    }
  })

  it('is the one over which the own side wrote only where the person wrote to none', () => {
    const lines = writtenOver(writtenOver([], 'sales'), 'support')
    expect(lineOf(lines, sales, support)).toBe('support')
    expect(lineOf(writtenOver(lines, 'sales'), sales, support)).toBe('sales')
    expect(lineOf(writtenOver(wroteToBoth, 'sales'), sales, support)).toBe('support')
  })

  it('is, once its number is gone, the one that the person wrote to before, or none', () => {
    expect(lineOf(wroteToBoth, sales, removed('support', '551130000002'))).toBe('sales')
    expect(lineOf(writtenTo([], 'support', at(2)), sales, removed('support', '551130000002'))).toBeUndefined()
  })

  it('goes on over the connection to which the same number was linked again', () => {
    const again = own('again', '551130000002')
    expect(lineOf(wroteToBoth, sales, removed('support', '551130000002'), again)).toBe('again')
  })

  it('is not a connection that has another number since the person wrote, and is one once they write to that', () => {
    const renumbered = own('sales', '551130000001', '551130000009')
    const before = writtenTo([], 'sales', at(5))
    expect(lineOf(before, renumbered)).toBeUndefined()
    expect(lineOf(writtenTo(before, 'sales', at(15)), renumbered)).toBe('sales')
    expect(lineOf(before, renumbered, own('moved', '551130000001'))).toBe('moved')
  })

  it('is the new number for what was written in the very moment in which the connection got it', () => {
    const renumbered = own('sales', '551130000001', '551130000009')
    const moved = own('moved', '551130000001')
    expect(lineOf(writtenTo([], 'sales', at(10)), renumbered, moved)).toBe('sales')
    expect(lineOf(writtenTo([], 'sales', at(9)), renumbered, moved)).toBe('moved')
  })

  it('is, where only the own side wrote, the number that the connection has today, which nobody knew before either', () => {
    const renumbered = own('sales', '551130000001', '551130000009')
    const lines = writtenOver([], 'sales')
    expect(lineOf(lines, renumbered, own('moved', '551130000001'))).toBe('sales')
    const gone = { ...renumbered, isRemoved: true }
    expect(lineOf(lines, gone, own('moved', '551130000001'), own('again', '551130000009'))).toBe('again')
    expect(lineOf(lines, gone)).toBeUndefined()
  })

  it('goes on over another connection that has the same number and is up, where its own is down and was not removed', () => {
    const down = { ...support, isOpen: false }
    const again = own('again', '551130000002')
    expect(lineOf(wroteToBoth, sales, down, again)).toBe('again')
    expect(lineOf(wroteToBoth, sales, down, { ...again, isOpen: false })).toBe('support')
    expect(lineOf(wroteToBoth, sales, support, again)).toBe('support')
    expect(lineOf(wroteToBoth, sales, { ...again, isOpen: true }, removed('support', '551130000002'), down)).toBe(
      'again',
    )
  })

  it('is found among ten thousand connections without comparing each with each, and few numbers of one are kept', () => {
    let phones = 0
    const all = Array.from({ length: 10_000 }, (_, index) => {
      const connection = removed(`old ${index}`, `5511${index}`)
      const number = {
        since: '',
        get phone() {
          phones++
          return `5511${index}`
        },
      }
      return { ...connection, numbers: [number] }
    })
    expect(lineOf(writtenTo([], 'old 7', at(1)), ...all, own('again', '55117'))).toBe('again')
    expect(phones).toBeLessThan(50_000)
    let numbers: ReturnType<typeof withNumber> = []
    for (let index = 0; index < 1000; index++) numbers = withNumber(numbers, `5511${index}`, at(index % 60))
    expect(numbers).toHaveLength(100)
    expect(numbers.at(-1)?.phone).toBe('5511999')
  })

  it('is the later one of two contacts that are one person', () => {
    const [one, other] = [writtenTo([], 'sales', at(1)), writtenTo([], 'support', at(2))]
    expect(lineOf(linesTogether([one, other]), sales, support)).toBe('support')
    expect(lineOf(linesTogether([other, one]), sales, support)).toBe('support')
    expect(linesTogether([one, writtenTo([], 'sales', at(9))])).toEqual([
      { connectionId: 'sales', at: at(9), rank: at(9) },
    ])
  })
})
