import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { noPace } from '../timings.ts'
import { linkingTurns } from './linking-turns.ts'

const turnsFor = (atMost: number, now = () => 0) => {
  const turns = linkingTurns(atMost, now)
  const begun: string[] = []
  const take = (owner: string, connectionId: string, pace = noPace) => {
    const onTurn = () => begun.push(connectionId)
    if (turns.take({ owner, connectionId, pace, onTurn })) begun.push(connectionId)
  }
  return { turns, begun, take }
}

describe('the lines of a process that are to be linked', () => {
  it('begin at once while there are turns left, and else in the order of their coming', () => {
    const { turns, begun, take } = turnsFor(2)
    for (const id of ['a', 'b', 'c', 'd']) take('tenant', id)
    expect([begun, turns.waiting()]).toEqual([['a', 'b'], 2])
    turns.leave('b')
    turns.leave('b')
    expect([begun, turns.waiting()]).toEqual([['a', 'b', 'c'], 1])
    turns.leave('d')
    turns.leave('a')
    expect([begun, turns.waiting()]).toEqual([['a', 'b', 'c'], 0])
  })

  it('ask as often as they like, and count once', () => {
    const { turns, begun, take } = turnsFor(1)
    for (const id of ['a', 'b', 'b', 'b']) take('tenant', id)
    expect(turns.waiting()).toBe(1)
    turns.leave('a')
    expect(begun).toEqual(['a', 'b'])
    expect(turns.take({ owner: 'tenant', connectionId: 'b', pace: noPace, onTurn: () => undefined })).toBe(true)
  })

  it('are fair: a tenant with nothing under way goes before one with many, whenever it came', () => {
    const { turns, begun, take } = turnsFor(2)
    for (const id of ['a1', 'a2', 'a3', 'a4']) take('a', id)
    take('b', 'b1')
    turns.leave('a1')
    turns.leave('a2')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('keep to the pace of their tenant, which holds up no other', async () => {
    let at = 0
    const { turns, begun, take } = turnsFor(10, () => at)
    const pace = { burst: 1, interval: 20 }
    take('a', 'a1', pace)
    turns.leave('a1')
    take('a', 'a1', pace)
    take('b', 'b1', pace)
    expect(begun).toEqual(['a1', 'b1'])
    at = 20
    await until(async () => begun.length === 3)
    expect(begun).toEqual(['a1', 'b1', 'a1'])
  })
})
