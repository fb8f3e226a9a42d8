import { until } from '@prosa/kernel/testing/until'
import { describe, expect, it } from 'vitest'
import { noPace } from '../timings.ts'
import { linkingSlots } from './linking-slots.ts'

const slotsFor = (maxActive: number, now = () => 0) => {
  const slots = linkingSlots(maxActive, now)
  const begun: string[] = []
  const take = async (tenant: string, connectionId: string, pace = noPace) => {
    const onSlot = () => begun.push(connectionId)
    if (await slots.take({ tenant, connectionId, pace, onSlot })) begun.push(connectionId)
  }
  return { slots, begun, take }
}

describe('the lines of a process that are to be linked', () => {
  it('begin at once while there are slots left, and else in the order of their coming', async () => {
    const { slots, begun, take } = slotsFor(2)
    for (const id of ['a', 'b', 'c', 'd']) await take('tenant', id)
    expect([begun, slots.waiting()]).toEqual([['a', 'b'], 2])
    slots.release('b')
    slots.release('b')
    await until(() => begun.length === 3)
    expect([begun, slots.waiting()]).toEqual([['a', 'b', 'c'], 1])
    slots.release('d')
    slots.release('a')
    expect([begun, slots.waiting()]).toEqual([['a', 'b', 'c'], 0])
  })

  it('ask as often as they like, and count once', async () => {
    const { slots, begun, take } = slotsFor(1)
    for (const id of ['a', 'b', 'b', 'b']) await take('tenant', id)
    expect(slots.waiting()).toBe(1)
    slots.release('a')
    await until(() => begun.length === 2)
    expect(begun).toEqual(['a', 'b'])
    expect(await slots.take({ tenant: 'tenant', connectionId: 'b', pace: noPace, onSlot: () => undefined })).toBe(true)
  })

  it('are fair: a tenant with nothing under way goes before one with many, whenever it came', async () => {
    const { slots, begun, take } = slotsFor(2)
    for (const id of ['a1', 'a2', 'a3', 'a4']) await take('a', id)
    await take('b', 'b1')
    slots.release('a1')
    await until(() => begun.length === 3)
    slots.release('a2')
    await until(() => begun.length === 4)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('keep to the pace of their tenant, which holds up no other', async () => {
    let at = 0
    const { slots, begun, take } = slotsFor(10, () => at)
    const pace = { burst: 1, interval: 20 }
    await take('a', 'a1', pace)
    slots.release('a1')
    await take('a', 'a1', pace)
    await take('b', 'b1', pace)
    expect(begun).toEqual(['a1', 'b1'])
    at = 20
    await until(async () => begun.length === 3)
    expect(begun).toEqual(['a1', 'b1', 'a1'])
  })
})
