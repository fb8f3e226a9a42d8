import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cleanUpMedia } from './media-cleanup.ts'
import { mediaHandler } from './media-handler.ts'
import { storageReservations } from './storage/storage-reservations.ts'
import { type MediaDesk, openMediaDesk } from './testing/media-desk.ts'
import { rawUpload } from './testing/raw-upload.ts'

const kilobyte = 1024
const budgets = {
  ...defaultBudgets,
  uploadedFilesPerDay: 5,
  uploadedBytesPerDay: 100 * kilobyte,
  keptBytesPerTenant: 150 * kilobyte,
}

let desk: MediaDesk
let user: string
let now: string | undefined
const clock = { now: () => now ?? new Date().toISOString() }
beforeAll(async () => {
  desk = await openMediaDesk({ clock, budgets })
  await desk.start()
})
afterAll(() => desk.close())
beforeEach(() => {
  user = randomUUID()
  now = undefined
})

const file = (kilobytes: number) => randomBytes(kilobytes * kilobyte)
const hoursLater = (hours: number) => {
  now = new Date(Date.now() + hours * 3_600_000).toISOString()
}
const refusals = async (refusal: string): Promise<number> => {
  const metrics = await (await fetch(desk.url('/metrics'))).text()
  return Number(new RegExp(`^prosa_refusals_total\\{refusal="${refusal}"\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0)
}
const cleanUp = () => cleanUpMedia({ ports: desk.ports, medias: mediaHandler(desk.ports) })

describe('a flood of uploads', () => {
  it('is refused from the file on that is one too many, with the wait, while another tenant goes on', async () => {
    const other = randomUUID()
    for (let sent = 0; sent < 5; sent++) expect((await desk.upload(user, file(1))).status).toBe(201)
    const before = await refusals('media_day_used_up')
    const refused = await desk.upload(user, file(1))
    expect(refused).toMatchObject({ status: 429, body: { type: 'media_day_used_up' } })
    expect(refused.body.title).toMatch(/Tente de novo em 24 horas/)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(24 * 3600 - 60)
    expect(wait).toBeLessThanOrEqual(24 * 3600)
    expect(await refusals('media_day_used_up')).toBe(before + 1)
    expect((await desk.upload(other, file(1))).status).toBe(201)
    now = new Date(Date.now() + wait * 1000).toISOString()
    expect((await desk.upload(user, file(1))).status).toBe(201)
  })

  it('is refused by its bytes before any of them is read', async () => {
    expect((await desk.upload(user, file(60))).status).toBe(201)
    const known = await desk.known()
    const refused = await rawUpload(desk, user, 41 * kilobyte)
    expect(await refused.status()).toBe(429)
    await until(() => !refused.isOpen())
    expect(await desk.known()).toBe(known)
    expect((await desk.upload(user, file(40))).status).toBe(201)
  })

  it('does not slip past together: what is under way counts', async () => {
    const uploads = await Promise.all(Array.from({ length: 12 }, () => rawUpload(desk, user, 30 * kilobyte)))
    await until(() => uploads.filter((each) => each.answer() !== '').length === 9)
    const refused = uploads.filter((each) => each.answer() !== '')
    for (const each of refused) expect(await each.status()).toBe(429)
    const accepted = uploads.filter((each) => !refused.includes(each))
    for (const each of accepted) each.send(file(30))
    for (const each of accepted) expect(await each.status()).toBe(201)
    for (const each of uploads) each.cut()
  })

  it('does not slip past together in several processes either', async () => {
    const processes = Array.from({ length: 4 }, () => storageReservations(desk.ports))
    const asked = processes.flatMap((reservations) =>
      Array.from({ length: 3 }, () =>
        reservations.reserveUpload({ id: randomUUID(), tenant: user }, 30 * kilobyte, kilobyte),
      ),
    )
    const answers = await Promise.allSettled(asked)
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(3)
  })

  it('counts what was sent in vain, too', async () => {
    for (let sent = 0; sent < 5; sent++) expect((await desk.upload(user, Buffer.alloc(0))).status).toBe(422)
    expect((await desk.upload(user, file(1))).status).toBe(429)
  })

  it('is cut where its day ends when its length is not given', async () => {
    const known = await desk.known()
    let taken = 0
    const endless = Readable.from(
      (function* () {
        for (; taken < 50_000; taken++) yield Buffer.alloc(kilobyte, 'x')
      })(),
    )
    expect(await desk.upload(user, endless)).toMatchObject({ status: 429, body: { type: 'media_day_used_up' } })
    expect(await desk.known()).toBe(known)
    expect((await desk.bytesInFolder()).includes('x'.repeat(kilobyte))).toBe(false)
    expect((await desk.upload(user, file(1))).status).toBe(429)
  })

  it('is counted by what comes in, not by what is left of a picture without its metadata', async () => {
    const segment = Buffer.concat([Buffer.from('ffe1ffff', 'hex'), Buffer.alloc(0xfffd)])
    const picture = [Buffer.from('ffd8', 'hex'), segment, segment, Buffer.from('ffd9', 'hex')]
    expect(await desk.upload(user, Readable.from(picture))).toMatchObject({ status: 429 })
  })

  it('never fits when one file is larger than a day, which waiting does not change', async () => {
    const refused = await desk.upload(user, file(101))
    expect(refused).toMatchObject({ status: 413, body: { type: 'media_over_day' } })
    expect(refused.headers.get('retry-after')).toBeNull()
  })
})

describe('what an upload has reserved', () => {
  const isReserved = async () =>
    (await desk.ports.pool.query('select from incoming_file where owner = $1 and held_until is not null', [user]))
      .rowCount === 1

  it('is free again when its line breaks', async () => {
    const broken = await rawUpload(desk, user, 100 * kilobyte)
    await until(isReserved)
    expect((await desk.upload(user, file(1))).status).toBe(429)
    broken.cut()
    await until(async () => (await desk.upload(user, file(90))).status === 201)
  })

  it('ends by itself when its process died', async () => {
    const dying = await rawUpload(desk, user, 100 * kilobyte)
    await until(isReserved)
    expect((await desk.upload(user, file(1))).status).toBe(429)
    hoursLater(1)
    expect((await desk.upload(user, file(1))).status).toBe(201)
    dying.cut()
  })
})

describe('the files that are kept for a tenant', () => {
  const fill = async () => {
    expect((await desk.upload(user, file(100))).status).toBe(201)
    hoursLater(25)
    const kept = await desk.upload(user, file(40))
    expect(kept.status).toBe(201)
    return kept.body.id
  }

  it('are refused beyond their bytes, with the way on, and another tenant’s are taken', async () => {
    await fill()
    const refused = await desk.upload(user, file(11))
    expect(refused).toMatchObject({ status: 413, body: { type: 'media_storage_full' } })
    expect(refused.body.title).toMatch(/Apag/)
    expect((await desk.upload(user, file(10))).status).toBe(201)
    expect((await desk.upload(randomUUID(), file(11))).status).toBe(201)
  })

  it('make room again when they go', async () => {
    await fill()
    await cleanUp()
    expect((await desk.upload(user, file(60))).status).toBe(201)
    expect(await desk.ports.pool.query('select bytes::int from kept_files where owner = $1', [user])).toMatchObject({
      rows: [{ bytes: 100 * kilobyte }],
    })
  })

  it('count after an account was erased for nobody', async () => {
    await fill()
    await desk.eraseUser(user)
    await until(async () => {
      const { rows } = await desk.ports.pool.query('select from kept_files where owner = $1 and bytes > 0', [user])
      return rows.length === 0
    })
    now = new Date(Date.now() + 60 * 3_600_000).toISOString()
    await cleanUp()
    for (const table of ['kept_files', 'incoming_file'])
      expect((await desk.ports.pool.query(`select from ${table} where owner = $1`, [user])).rows).toEqual([])
  })

  it('count too when they came before anybody counted', async () => {
    await fill()
    await desk.ports.pool.query('update media_file set bytes = null where owner = $1', [user])
    await cleanUp()
    expect(await desk.ports.pool.query('select bytes::int from kept_files where owner = $1', [user])).toMatchObject({
      rows: [{ bytes: 40 * kilobyte }],
    })
  })
})
