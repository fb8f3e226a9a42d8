import { until } from '@prosa/kernel/testing/until'
import type { Device } from '@prosa/sandbox/server/directory'
import { expect, onTestFinished, test } from 'vitest'
import { readQrCode } from '../testing/read-qr-code.ts'
import { openShop, type Shop } from '../testing/shop.ts'
import { takeOver } from '../testing/take-over.ts'
import type { SessionTimings } from '../timings.ts'

const linked = async (timings: Partial<SessionTimings> = {}): Promise<{ shop: Shop; id: string; device: Device }> => {
  const shop = await openShop({}, timings)
  onTestFinished(shop.close)
  await shop.start()
  const { connectionId, device } = await shop.link()
  return { shop, id: connectionId, device }
}

const last = (shop: Shop, id: string, type: string) =>
  until(async () => (await shop.connectionEvents(id)).at(-1) === type)

const since = async (shop: Shop, id: string) => {
  const events = await shop.connectionEvents(id)
  return events.slice(events.indexOf('LineOpened') + 1)
}

const arrivesAgain = async (shop: Shop, id: string, text: string) => {
  // Earlier messages would come with the offline backlog, as `append`.
  await until(() => shop.phone.companions().some((companion) => shop.server.isOnline(companion)))
  await shop.ana.sendText(shop.phone.number, text)
  await until(async () => (await shop.texts(id)).includes(`contact notify ${text}`))
}

test('an outage of WhatsApp is one drop, however many attempts it takes, and heals by itself', async () => {
  const { shop, id } = await linked()
  await shop.server.stop()
  await last(shop, id, 'LineDropped')
  await shop.server.start()
  shop.server.faults.refuseLogins.push('503', '503', '405')
  await shop.opened(id, 2)
  expect(shop.server.faults.refuseLogins).toEqual([])
  expect(await since(shop, id)).toEqual(['LineDropped', 'LineOpened'])
  await arrivesAgain(shop, id, 'voltou?')
})

const breakTimes = async (shop: Shop, id: string, device: Device, times: number) => {
  for (let time = 0; time < times; time++) {
    await until(() => shop.server.isOnline(device))
    shop.server.dropConnection(device)
    await shop.opened(id, time + 2)
  }
  const [dropped, opened] = (await shop.connectionLog(id)).slice(-2)
  return Date.parse(opened?.metadata.recordedAt ?? '') - Date.parse(dropped?.metadata.recordedAt ?? '')
}

test('a line that breaks as often as it opens is reached more and more slowly', async () => {
  const { shop, id, device } = await linked({ firstBackoff: 200, maxBackoff: 60_000, steady: 60_000 })
  // The fourth backoff is 1600 ms, or half of that.
  expect(await breakTimes(shop, id, device, 4)).toBeGreaterThanOrEqual(800)
})

test('a line that lasted is reached again as quickly as after its first break', async () => {
  const { shop, id, device } = await linked({ firstBackoff: 100, maxBackoff: 3_600_000, steady: 1 })
  // With counted breaks it would be at least 90 s.
  await breakTimes(shop, id, device, 12)
})

test('a line that carried a message is reached again as quickly, however soon it breaks', async () => {
  const { shop, id, device } = await linked({ firstBackoff: 100, maxBackoff: 3_600_000, steady: 3_600_000 })
  for (let time = 0; time < 12; time++) {
    await until(() => shop.server.isOnline(device))
    await arrivesAgain(shop, id, `vez ${time}`)
    shop.server.dropConnection(device)
    await shop.opened(id, time + 2)
  }
})

test('a number that is unlinked on the phone is over at once, and its keys are gone', async () => {
  const { shop, id, device } = await linked()
  shop.phone.unlink(device)
  await last(shop, id, 'NumberUnlinked')
  await until(async () => {
    const { rows } = await shop.ports.pool.query('select from whatsapp_credentials where connection_id = $1', [id])
    return rows.length === 0
  })
  expect(await since(shop, id)).toEqual(['NumberUnlinked'])
  await shop.call('POST', `/${id}/refresh`)
  await shop.phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id, 2)
})

test('a number that was unlinked while we were away is over at the next login', async () => {
  const { shop, id, device } = await linked()
  await shop.server.stop()
  shop.phone.unlink(device)
  await shop.server.start()
  await last(shop, id, 'NumberUnlinked')
})

test('a number that WhatsApp refuses is not tried again by itself', async () => {
  const { shop, id, device } = await linked()
  shop.server.faults.refuseLogins.push('403')
  shop.server.dropConnection(device)
  await last(shop, id, 'ConnectionRefused')
  const log = await shop.connectionLog(id)
  expect(log.at(-1)?.data).toMatchObject({ code: 403 })
})

test('a number that WhatsApp bans for a while is left alone until somebody asks, and then needs no new code', async () => {
  const { shop, id, device } = await linked()
  shop.server.faults.refuseLogins.push('402')
  shop.server.dropConnection(device)
  await last(shop, id, 'ConnectionRefused')
  expect((await shop.connectionLog(id)).at(-1)?.data).toMatchObject({ code: 402 })
  await shop.ana.sendText(shop.phone.number, 'enquanto isso')
  expect((await shop.call('POST', `/${id}/refresh`)).status).toBe(200)
  await shop.opened(id, 2)
  await until(async () => (await shop.texts(id)).includes('contact append enquanto isso'))
  expect((await since(shop, id)).filter((type) => type === 'QrCodeIssued')).toEqual([])
})

test('five bad sessions in a row end the attempts when they have lasted; four do not', async () => {
  const { shop, id, device } = await linked({ badSessions: 0 })
  shop.server.faults.refuseLogins.push(...Array(4).fill('500'))
  shop.server.dropConnection(device)
  await shop.opened(id, 2)
  shop.server.faults.refuseLogins.push(...Array(5).fill('500'))
  shop.server.dropConnection(device)
  await last(shop, id, 'ConnectionRefused')
  expect(shop.server.faults.refuseLogins).toEqual([])
})

test('bad sessions that pass cost nobody the number, however many they are', async () => {
  const { shop, id, device } = await linked()
  shop.server.faults.refuseLogins.push(...Array(8).fill('500'))
  shop.server.dropConnection(device)
  await until(() => shop.server.faults.refuseLogins.length === 0)
  await shop.opened(id, 2)
  expect(await since(shop, id)).toEqual(['LineDropped', 'LineOpened'])
})

test('bad sessions do not last when a number is being linked: soon there is a new code to scan', async () => {
  const { shop, id } = await linked()
  const intruder = await takeOver(shop, id)
  await last(shop, id, 'ConnectionReplaced')
  await intruder.leave()
  shop.server.faults.refuseLogins.push(...Array(5).fill('500'))
  await shop.call('POST', `/${id}/refresh`)
  await last(shop, id, 'ConnectionRefused')
  await shop.call('POST', `/${id}/refresh`)
  await shop.phone.scan(readQrCode(await shop.picture(id)))
  await shop.opened(id, 2)
})

test('a line that another program takes over is left to it, and comes back when somebody asks, without a new code', async () => {
  const { shop, id } = await linked()
  const intruder = await takeOver(shop, id)
  await last(shop, id, 'ConnectionReplaced')
  const codes = (await shop.connectionEvents(id)).filter((type) => type === 'QrCodeIssued').length
  await intruder.leave()
  expect((await shop.call('POST', `/${id}/refresh`)).status).toBe(200)
  await shop.opened(id, 2)
  expect((await shop.connectionEvents(id)).filter((type) => type === 'QrCodeIssued')).toHaveLength(codes)
  await arrivesAgain(shop, id, 'de volta')
})

test('a restart of the service needs no new code and loses nothing', async () => {
  const shop = await openShop()
  onTestFinished(shop.close)
  const before = await shop.start()
  const { connectionId: id } = await shop.link()
  await arrivesAgain(shop, id, 'antes')
  await before.stop()
  await shop.ana.sendText(shop.phone.number, 'durante')
  const queued = await shop.queue(id, 'resposta')
  await shop.start()
  await until(async () => (await shop.fate(id, queued.messageId)).includes('delivered'))
  await until(async () => (await shop.texts(id)).includes('contact append durante'))
  await arrivesAgain(shop, id, 'depois')
  expect(await shop.texts(id)).toEqual(['contact notify antes', 'contact append durante', 'contact notify depois'])
  expect(await since(shop, id)).toEqual([])
})

test('a database that is lost for a moment ends no line, and nothing that came or was written meanwhile is lost', async () => {
  const { shop, id } = await linked()
  const { rows } = await shop.ports.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  expect(rows.length).toBeGreaterThan(1)
  await arrivesAgain(shop, id, 'depois da queda')
  const queued = await shop.queue(id, 'resposta')
  await until(async () => (await shop.fate(id, queued.messageId)).includes('delivered'))
  expect(await since(shop, id)).toEqual([])
})
