import { randomUUID } from 'node:crypto'
import type { TopicPayload } from '@prosa/contracts/topics'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookUpPace } from '../line/look-ups/paced-look-ups.ts'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let id: string
const answers: TopicPayload<'number.answered'>[] = []

beforeAll(async () => {
  shop = await openShop()
  shop.ports.pubSub.subscribe('number.answered', (answer) => void answers.push(answer))
  await shop.start()
  id = (await shop.link()).connectionId
})
afterAll(() => shop.close())

const ask = async (phone: string, tenant = shop.user) => {
  const requestId = randomUUID()
  await shop.ports.pubSub.publish('number.asked', { tenant, requestId, phone })
  return requestId
}
const answerTo = (requestId: string) => until(() => answers.find((answer) => answer.requestId === requestId))

describe('whose number it is', () => {
  test('is asked of WhatsApp over an open line, with the LID', async () => {
    const requestId = await ask(shop.ana.number)
    const lid = shop.ana.account.lidUser
    expect(await answerTo(requestId)).toEqual({ requestId, exists: true, phone: shop.ana.number, lid })
  })

  test('is nobody’s when WhatsApp does not know it', async () => {
    const requestId = await ask('5511977770000')
    expect(await answerTo(requestId)).toEqual({ requestId, exists: false, phone: null, lid: null })
  })

  test('is not asked over somebody else’s line, nor over one that is down', async () => {
    const ofStranger = await ask(shop.ana.number, randomUUID())
    const asked = await ask(shop.ana.number)
    await answerTo(asked)
    expect(answers.map(({ requestId }) => requestId)).not.toContain(ofStranger)

    await shop.server.stop()
    await until(async () => (await shop.connectionEvents(id)).at(-1) === 'LineDropped')
    const whileDown = await ask(shop.ana.number)
    await shop.server.start()
    await shop.opened(id, 2)
    await answerTo(await ask(shop.ana.number))
    expect(answers.map(({ requestId }) => requestId)).not.toContain(whileDown)
  })

  test('is looked up so often an hour over one line, and no more; who asks learns when they may', async () => {
    const postponed: TopicPayload<'number.postponed'>[] = []
    shop.ports.pubSub.subscribe('number.postponed', (answer) => void postponed.push(answer))
    const { burst } = lookUpPace(shop.ports.budgets.lookUpsPerLineHour)
    while (postponed.length === 0) {
      const requestId = await ask(shop.ana.number)
      await until(() => [...answers, ...postponed].some((each) => each.requestId === requestId))
      expect(answers.length).toBeLessThanOrEqual(burst)
    }
    expect(postponed[0]?.retryAfterSeconds).toBeGreaterThan(0)
  })
})
