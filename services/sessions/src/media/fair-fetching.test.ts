import { randomUUID } from 'node:crypto'
import { later } from '@prosa/kernel/clock'
import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addWanted, type ClaimedMedia, claimWanted, putBack, settleWanted } from './queries.ts'
import * as files from './testing/files.ts'
import { type MediaDesk, openMediaDesk } from './testing/media-desk.ts'

const kilobyte = 1024
const narrow = { ...defaultBudgets, fetchesPerTenant: 2, keptBytesPerTenant: 100 * kilobyte }

let desk: MediaDesk
beforeAll(async () => {
  desk = await openMediaDesk()
})
afterAll(() => desk.close())
afterEach(() => desk.clear())

const arrives = async (tenant: string, bytes = files.png.length, claimed = bytes, contactId = randomUUID()) => {
  const source = await desk.mediaHost.keep(Buffer.concat([files.png, Buffer.alloc(bytes - files.png.length)]), 'image')
  const file = { id: randomUUID(), mediaType: 'image/png', bytes: claimed, source }
  await desk.receive(tenant, contactId, { kind: 'image', file, caption: 'a mensagem fica' })
  return file.id
}
const refusedFetches = async () => {
  const metrics = await (await fetch(desk.url('/metrics'))).text()
  return Number(/^prosa_media_without_room_total (\d+)/m.exec(metrics)?.[1])
}

describe('the files of many tenants', () => {
  it('are fetched a few of each at a time: one with many holds up nobody', async () => {
    await desk.start()
    const [busy, other] = [randomUUID(), randomUUID()]
    const held: (() => void)[] = []
    desk.mediaHost.spoil = (response, file) => held.push(() => response.writeHead(200).end(file))
    const many = []
    for (let index = 0; index < 12; index++) many.push(await arrives(busy))
    await until(() => held.length === 2)
    desk.mediaHost.spoil = undefined
    await desk.ends(await arrives(other), 'MediaStored')
    expect(held.length).toBe(2)
    expect((await Promise.all(many.map((id) => desk.events(id)))).flat()).toEqual([])
    for (const answer of held) answer()
    for (const id of many) await desk.ends(id, 'MediaStored')
  })
})

describe('the line of files that are to be fetched', () => {
  const began = new Date().toISOString()
  const claim = (limit: number) =>
    claimWanted(desk.ports.pool, { limit, perTenant: 2, now: later(began, 60_000), until: later(began, 75_000) })
  const want = async (tenant: string, count: number, at = began) => {
    for (let index = 0; index < count; index++) {
      const wanted = { id: randomUUID(), tenant, contactId: randomUUID(), revision: 0n, eventId: randomUUID() }
      await addWanted(desk.ports.pool, { ...wanted, correlationId: 'test' }, at)
    }
  }
  const settle = (claimed: ClaimedMedia | undefined) => claimed && settleWanted(desk.ports.pool, claimed, 0)

  it('takes tenants in turn, whoever came first with however many', async () => {
    const busy = Array.from({ length: 6 }, () => randomUUID())
    for (const tenant of busy) await want(tenant, 30)
    for (let index = 0; index < 20; index++) await settle((await claim(1))[0])
    const late = randomUUID()
    await want(late, 1, later(began, 1000))
    const served: string[] = []
    for (let index = 0; index < 7; index++) {
      const [claimed] = await claim(1)
      served.push(claimed?.tenant ?? 'nobody')
      await settle(claimed)
    }
    expect(served).toContain(late)
    expect(new Set(served).size).toBe(7)
  })

  it('hands out no more of a tenant at a time than it may, however many processes ask at once', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    await want(one, 30)
    await want(other, 1)
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(4)))).flat()
    expect(claimed.filter(({ tenant }) => tenant === one).length).toBe(2)
    expect(claimed.filter(({ tenant }) => tenant === other).length).toBe(1)
    const [first] = claimed.filter(({ tenant }) => tenant === one)
    if (first) await putBack(desk.ports.pool, first.id, later(began, 90_000), true)
    expect((await claim(4)).map(({ tenant }) => tenant)).toEqual([one])
  })

  it('hands out the files of a process that died once its claim has ended', async () => {
    const tenant = randomUUID()
    await want(tenant, 2)
    const dead = await claim(4)
    expect((await claim(4)).length).toBe(0)
    const { pool } = desk.ports
    const again = await claimWanted(pool, {
      limit: 4,
      perTenant: 2,
      now: later(began, 76_000),
      until: later(began, 91_000),
    })
    expect(again.map(({ id }) => id).sort()).toEqual(dead.map(({ id }) => id).sort())
  })
})

describe('a received file for which its tenant has no room', () => {
  beforeAll(() => {
    desk.ports.budgets = narrow
  })

  it('is not fetched, is marked so, and comes once there is room and somebody asks again', async () => {
    await desk.start()
    const tenant = randomUUID()
    const full = await desk.upload(tenant, Buffer.alloc(100 * kilobyte - 50, 'x'))
    expect(full.status).toBe(201)
    const [before, asked] = [await refusedFetches(), desk.mediaHost.asked]
    const id = await arrives(tenant, 20 * kilobyte)
    expect((await desk.ends(id, 'MediaUnavailable')).data.reason).toBe('no_room')
    expect(desk.mediaHost.asked).toBe(asked)
    expect(await refusedFetches()).toBe(before + 1)
    const other = await arrives(randomUUID(), 20 * kilobyte)
    await desk.ends(other, 'MediaStored')
    await desk.ports.pool.query('update media_file set bytes = 0 where id = $1', [full.body.id])
    expect((await desk.post(tenant, `/api/whatsapp/media/${id}/retry`)).status).toBe(202)
    await desk.ends(id, 'MediaStored')
  })

  it('is cut off where the room ends, whatever its sender claims that it weighs', async () => {
    await desk.start()
    const tenant = randomUUID()
    const id = await arrives(tenant, 150 * kilobyte, 100)
    expect((await desk.ends(id, 'MediaUnavailable')).data.reason).toBe('no_room')
    expect((await desk.bytesInFolder()).length).toBe(0)
    expect((await desk.upload(tenant, Buffer.alloc(100 * kilobyte))).status).toBe(201)
  })

  it('counts with what is uploaded, once it is kept', async () => {
    await desk.start()
    const tenant = randomUUID()
    await desk.ends(await arrives(tenant, 60 * kilobyte), 'MediaStored')
    await until(async () => {
      const { rows } = await desk.ports.pool.query('select from incoming_file where owner = $1', [tenant])
      return rows.length === 0
    })
    expect(await desk.upload(tenant, Buffer.alloc(41 * kilobyte))).toMatchObject({
      status: 413,
      body: { type: 'media_storage_full' },
    })
    expect((await desk.upload(tenant, Buffer.alloc(39 * kilobyte))).status).toBe(201)
  })

  it('waits while others that are coming in may leave room for it', async () => {
    await desk.start()
    const tenant = randomUUID()
    const held: (() => void)[] = []
    desk.mediaHost.spoil = (response, file) => held.push(() => response.writeHead(200).end(file))
    const first = await arrives(tenant, 10 * kilobyte)
    await until(() => held.length === 1)
    desk.mediaHost.spoil = undefined
    const second = await arrives(tenant, 10 * kilobyte)
    const waits = 'select from media_file where id = $1 and attempts = 0 and claimed_until is null and due_at > now()'
    await until(async () => (await desk.ports.pool.query(waits, [second])).rowCount === 1)
    held[0]?.()
    await desk.ends(first, 'MediaStored')
    await desk.ends(second, 'MediaStored')
  })
})
