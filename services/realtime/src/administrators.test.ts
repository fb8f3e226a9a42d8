import type { Position } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idOf, type ReceivedEvent, testRealtime } from './testing/test-realtime.ts'

const pushed = (receivedEvents: readonly ReceivedEvent[]) =>
  receivedEvents.flatMap(({ event, payload }) => (event === 'admin:update' ? [payload] : []))

describe('what administrators look at', () => {
  let prosa: Awaited<ReturnType<typeof testRealtime>>
  beforeAll(async () => {
    prosa = await testRealtime()
  })
  afterAll(() => prosa.stop())

  let deliveries = 0
  const happen = () =>
    prosa.append(idOf('nobody'), `webhookDelivery-d${++deliveries}`, { type: 'DeliveryExpired', data: {} })
  const untilNotified = async (receivedEvents: readonly ReceivedEvent[]): Promise<Position> => {
    const before = pushed(receivedEvents).length
    let position = await happen()
    await until(async () => {
      position = await happen()
      await prosa.show(position)
      return pushed(receivedEvents).length > before
    })
    return position
  }
  const changeRole = async (user: string, type: 'RoleGranted' | 'RoleRevoked') => {
    prosa.roles.set(user, type === 'RoleGranted' ? ['admin'] : [])
    await prosa.show(await prosa.append(user, `user-${user}`, { type, data: { role: 'admin' } }))
  }

  it('is pushed to them once it is shown, and never to subscribers, analysts or strangers', async () => {
    const [admin, analyst, subscriber] = [idOf('admin'), idOf('analyst'), idOf('subscriber')]
    prosa.roles.set(admin, ['admin'])
    prosa.roles.set(analyst, ['analyst'])
    const [own, hers, his] = [await prosa.signIn(admin), await prosa.signIn(analyst), await prosa.signIn(subscriber)]
    const stranger = prosa.open(undefined)
    const strange: unknown[] = []
    stranger.onAny((event) => strange.push(event))
    await untilNotified(own.receivedEvents)

    const position = await happen()
    const isPushed = () => pushed(own.receivedEvents).some((push) => push.position === position)
    await prosa.show(position, ['chat-messages', 'account'])
    expect(isPushed()).toBe(false)
    await prosa.show(position, ['webhook-deliveries'])
    await until(isPushed)
    expect(pushed(own.receivedEvents).at(-1)).toEqual({ area: 'webhook', position })
    expect([...pushed(hers.receivedEvents), ...pushed(his.receivedEvents), ...strange]).toEqual([])
  })

  it('begins to be pushed with the role, and ends with it, while the browser stays open', async () => {
    const [other, changing] = [idOf('other admin'), idOf('changing')]
    prosa.roles.set(other, ['admin'])
    const witness = await prosa.signIn(other)
    const { receivedEvents } = await prosa.signIn(changing)
    await untilNotified(witness.receivedEvents)
    expect(pushed(receivedEvents)).toEqual([])

    await changeRole(changing, 'RoleGranted')
    await untilNotified(receivedEvents)

    await changeRole(changing, 'RoleRevoked')
    await until(async () => {
      const before = pushed(receivedEvents).length
      await untilNotified(witness.receivedEvents)
      return pushed(receivedEvents).length === before
    })
  })
})

it('a role that was lost without anybody noticing is noticed at the next check of open sockets', async () => {
  const prosa = await testRealtime(50)
  const admin = idOf('admin')
  prosa.roles.set(admin, ['admin'])
  const { receivedEvents } = await prosa.signIn(admin)
  let deliveries = 0
  const happen = async () => {
    const stream = `webhookDelivery-d${++deliveries}`
    await prosa.show(await prosa.append(admin, stream, { type: 'DeliveryExpired', data: {} }))
  }
  await until(async () => {
    await happen()
    return pushed(receivedEvents).length > 0
  })
  prosa.roles.set(admin, [])
  await until(async () => {
    const before = pushed(receivedEvents).length
    const quickReply = pushedReplies(receivedEvents)
    await happen()
    const stream = `quickReply-${admin}`
    const removed = { type: 'QuickReplyRemoved', data: { quickReplyId: idOf('reply') } } as const
    await prosa.show(await prosa.append(admin, stream, removed))
    await until(() => pushedReplies(receivedEvents) > quickReply)
    return pushed(receivedEvents).length === before
  })
  await prosa.stop()
})

const pushedReplies = (receivedEvents: readonly ReceivedEvent[]) =>
  receivedEvents.filter(({ event }) => event === 'quick_replies:update').length
