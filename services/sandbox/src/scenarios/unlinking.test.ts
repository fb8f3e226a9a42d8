import { once } from 'node:events'
import { expect, test } from 'vitest'
import { pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'

test('logging out on the client removes the companion', async () => {
  const { primary, ana, shop, server } = await world()
  const device = await pair(shop, primary)
  const removed = once(server, 'unlinked')
  const closed = once(shop, 'closed')
  await shop.socket.logout()
  expect((await removed)[0]).toBe(device)
  expect(await closed).toEqual([401])
  expect(primary.companions()).toEqual([])
  const received = primary.nextMessage()
  await ana.sendText(primary.number, 'tem alguém?')
  expect((await received).text).toBe('tem alguém?')
})

test('unlinking on the phone while connected ends in 401, and so does the next login', async () => {
  const { primary, shop } = await world()
  const device = await pair(shop, primary)
  const closed = once(shop, 'closed')
  primary.unlink(device)
  expect(await closed).toEqual([401])
  const again = once(shop, 'closed')
  await shop.start()
  expect(await again).toEqual([401])
})

test('unlinking while the client is away ends in 401 at the next login', async () => {
  const { primary, shop, server } = await world()
  const device = await pair(shop, primary)
  await server.stop()
  primary.unlink(device)
  await server.start()
  await until('it gave up', () => shop.closes.at(-1) === 401)
})
