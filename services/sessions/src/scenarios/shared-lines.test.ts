import { randomBytes } from 'node:crypto'
import type { Host } from '@prosa/kernel/host'
import { until } from '@prosa/kernel/testing/until'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtherProcess, otherProcess } from '../testing/other-process.ts'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Shop } from '../testing/shop.ts'

const lines = 6
/** As in production. */
const leaseMs = 15_000

describe('the lines of several processes', () => {
  const secret = randomBytes(32)
  const phones = new Map<string, Phone>()
  const others: OtherProcess[] = []
  const sockets = new Map<string, number>()
  const offlineAt = new Map<string, number>()
  let maxSockets = 0
  let gaps: number[] = []
  let shop: Shop
  let own: Host

  const counts = async (): Promise<number[]> => {
    const { rows } = await shop.ports.pool.query<{ count: number }>(
      `select count(*)::int as count from connection_lease where expires_at > clock_timestamp()
       group by holder order by count desc`,
    )
    return rows.map(({ count }) => count)
  }
  const areShared = (wanted: number[]) =>
    until(async () => JSON.stringify(await counts()) === JSON.stringify(wanted), 20_000)
  const areOnline = () =>
    until(() => [...sockets.values()].filter((count) => count === 1).length === lines && sockets.size === lines, 20_000)

  const textsOf = async (connectionId: string) =>
    (await shop.lineEvents(connectionId)).flatMap((event) =>
      event.type === 'MessageArrived' && event.data.content.kind === 'text' ? event.data.content.text : [],
    )
  /** To every line, before, during and after what happens. */
  const underLoad = async (words: string, happens: () => Promise<unknown>) => {
    const texts = Array.from({ length: 4 }, (_, index) => `${words} ${index}`)
    const happening = happens()
    for (const text of texts) for (const phone of phones.values()) await shop.ana.sendText(phone.account.number, text)
    await happening
    for (const id of phones.keys()) {
      const arrived = async () => (await textsOf(id)).filter((text) => text.startsWith(words))
      await until(async () => (await arrived()).length >= texts.length)
      expect((await arrived()).toSorted()).toEqual(texts)
    }
  }

  beforeAll(async () => {
    shop = await openShop({}, { lease: leaseMs }, secret)
    shop.server.on('online', ({ account }) => {
      const { number } = account
      sockets.set(number, (sockets.get(number) ?? 0) + 1)
      maxSockets = Math.max(maxSockets, sockets.get(number) ?? 0)
      const since = offlineAt.get(number)
      if (since !== undefined) gaps.push(performance.now() - since)
      offlineAt.delete(number)
    })
    shop.server.on('offline', ({ account }) => {
      const { number } = account
      sockets.set(number, (sockets.get(number) ?? 1) - 1)
      offlineAt.set(number, performance.now())
    })
    own = await shop.start()
    for (let index = 0; index < lines; index++) {
      const phone = shop.server.addPhone(`551190001000${index}`, `Loja ${index}`)
      const id = await shop.add(`Loja ${index}`)
      await phone.scan(readQrCode(await shop.picture(id)))
      await shop.opened(id)
      phones.set(id, phone)
    }
    await areOnline()
  }, 120_000)
  afterAll(async () => {
    for (const other of others) await other.kill()
    await shop.close()
  })

  test('are shared evenly with processes that start later, one moving after the other', async () => {
    maxSockets = 0
    gaps = []
    await underLoad('Entra outro', async () => {
      others.push(await otherProcess(shop, secret, leaseMs))
      await areShared([3, 3])
      others.push(await otherProcess(shop, secret, leaseMs))
      await areShared([2, 2, 2])
      await areOnline()
    })
    expect(gaps.length).toBeGreaterThanOrEqual(4)
    expect(Math.max(...gaps)).toBeLessThan(5000)
    expect(maxSockets).toBe(1)
  }, 120_000)

  test('move within 20 seconds when a process is killed, each to one', async () => {
    maxSockets = 0
    await underLoad('Morre um', async () => {
      await others.pop()?.kill()
      await areShared([3, 3])
      await areOnline()
    })
    expect(maxSockets).toBe(1)
  }, 120_000)

  test('are without a line for less than five seconds in a rolling restart, and are shared again after it', async () => {
    maxSockets = 0
    gaps = []
    await underLoad('Reinício', async () => {
      await own.stop()
      await areShared([6])
      own = await shop.start()
      await areShared([3, 3])
      await areOnline()
    })
    expect(Math.max(...gaps)).toBeLessThan(5000)
    expect(maxSockets).toBe(1)
    for (const id of phones.keys()) expect(await shop.connectionEvents(id)).not.toContain('ConnectionReplaced')
  }, 120_000)
})
