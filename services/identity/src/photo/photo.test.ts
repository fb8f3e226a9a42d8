import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { photoFileName } from '@prosa/contracts/photo-file-name'
import { type PhotoSize, photoSizes } from '@prosa/contracts/values/photo'
import { FileMissing } from '@prosa/kernel/files/port'
import { gif, png } from '@prosa/kernel/testing/hostile-pictures'
import { until } from '@prosa/kernel/testing/until'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marina, testIdentity } from '../testing/test-identity.ts'

let prosa: Awaited<ReturnType<typeof testIdentity>>
let id: string
let cookie: string
beforeAll(async () => {
  prosa = await testIdentity()
  ;({ id, cookie } = await prosa.register())
})
afterAll(() => prosa.stop())

const send = async (body: Uint8Array | string, { type = 'application/octet-stream', key = '', by = cookie } = {}) => {
  const headers = { cookie: by, 'content-type': type, ...(key && { [idempotencyKeyHeader]: key }) }
  const reply = await fetch(`${prosa.url()}/api/auth/photo`, {
    method: 'PUT',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    body: (await reply.json()) as { profileImageUrl: string; type: string; title: string },
  }
}
const photoIn = ({ body }: { body: { profileImageUrl: string } }) => body.profileImageUrl.split('/').at(-1) ?? ''
const stored = async (photoId: string, size: PhotoSize = 256) =>
  buffer((await prosa.ports.files.get(photoFileName(id, photoId, size))).content)
const isGone = (photoId: string) =>
  until(() =>
    stored(photoId).then(
      () => false,
      (error: unknown) => error instanceof FileMissing,
    ),
  )
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b6b57' } })

describe('a picture of an account', () => {
  it('is kept as squares, without what the camera noted', async () => {
    const camera = await picture(300, 200)
      .withExif({ IFD0: { Artist: 'Marina', Make: 'Telefone' } })
      .jpeg()
      .toBuffer()
    expect(camera.includes('Marina')).toBe(true)
    const photoId = photoIn(await send(camera))
    for (const size of photoSizes) {
      const square = await stored(photoId, size)
      expect(await sharp(square).metadata()).toMatchObject({ format: 'webp', width: size, height: size })
      expect(square.includes('Marina')).toBe(false)
    }
  })

  it.each(['png', 'gif'] as const)('may be a %s', async (type) => {
    expect((await send(await picture(40, 60).toFormat(type).toBuffer())).status).toBe(200)
  })

  it('is changed once, however often the request comes, and the one before is deleted', async () => {
    const before = photoIn(await send(await picture(20, 20).png().toBuffer()))
    const other = await picture(30, 30).png().toBuffer()
    const first = await send(other, { key: 'k' })
    expect(await send(other, { key: 'k' })).toEqual(first)
    const events = await prosa.historyOf(id)
    await isGone(before)
    expect((await stored(photoIn(first))).length).toBeGreaterThan(0)
    expect((await send(await picture(31, 31).png().toBuffer(), { key: 'k' })).body.type).toBe('idempotency_key_reused')
    expect(await prosa.historyOf(id)).toEqual(events)
  })

  it('goes with its files when it is removed', async () => {
    const photoId = photoIn(await send(await picture(20, 20).png().toBuffer()))
    expect((await prosa.ask('DELETE', '/api/auth/photo', undefined, cookie)).body).toEqual({ profileImageUrl: null })
    await isGone(photoId)
  })

  it('is nobody’s business without having signed in', async () => {
    expect((await prosa.ask('DELETE', '/api/auth/photo', undefined)).status).toBe(401)
  })
})

describe('what is no picture', () => {
  const whole = () => picture(200, 200).png().toBuffer()
  const hostile: Record<string, [() => Buffer | Promise<Buffer>, number, string]> = {
    nothing: [() => Buffer.alloc(0), 422, 'photo_type_refused'],
    'a renamed program': [() => Buffer.from('MZ\x90\0 este programa'), 422, 'photo_type_refused'],
    'a drawing with a script': [
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      422,
      'photo_type_refused',
    ],
    'another type of picture': [() => picture(9, 9).webp().toBuffer(), 422, 'photo_type_refused'],
    'a beginning only': [() => Buffer.from('ffd8ffe000104a4649', 'hex'), 422, 'photo_broken'],
    'a program that begins as a picture': [
      () => Buffer.concat([Buffer.from('GIF89a'), Buffer.from('\x09\0\x09\0MZ este programa')]),
      422,
      'photo_broken',
    ],
    'half a picture': [
      async () => {
        const bytes = await sharp({
          create: {
            width: 200,
            height: 200,
            channels: 3,
            background: 'red',
            noise: { type: 'gaussian', mean: 99, sigma: 40 },
          },
        })
          .png()
          .toBuffer()
        return bytes.subarray(0, bytes.length / 2)
      },
      422,
      'photo_broken',
    ],
    'a document in many pages': [() => Buffer.from('49492a0008000000', 'hex'), 422, 'photo_type_refused'],
    '30,000 x 30,000 pixels': [() => png(30_000, 30_000, { lines: 1 }), 422, 'photo_too_many_pixels'],
    'more than 5 MB': [() => Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'photo_too_large'],
  }

  it.each(Object.entries(hostile))(
    '%s: is refused in a sentence, and the picture stays',
    async (_, [make, status, type]) => {
      const photoId = photoIn(await send(await whole()))
      const events = await prosa.historyOf(id)
      const refused = await send(await make())
      expect([refused.status, refused.body.type, refused.body.title]).toEqual([
        status,
        type,
        expect.stringMatching(/\.$/),
      ])
      expect((await stored(photoId)).length).toBeGreaterThan(0)
      expect(await prosa.historyOf(id)).toEqual(events)
    },
  )

  it('is refused with its reason where it is a GIF of 35 bytes and 40 megapixels', async () => {
    const refused = await send(gif(6300, 6300))
    expect([refused.status, refused.body.title]).toEqual([
      422,
      'A foto tem pixels demais: o máximo são 16 megapixels, ou 4 em um GIF. Diminua-a e tente de novo.',
    ])
  })

  it('is refused as JSON, too', async () => {
    expect((await send('{"photo":"aGVsbG8="}', { type: 'application/json' })).body.type).toBe('photo_type_refused')
  })
})

describe('pictures that come slowly', () => {
  /** Sends the beginning alone; another one of the account may take its place first. */
  const openSlow = (by: string, key: string) => {
    const headers = { cookie: by, 'content-type': 'application/octet-stream', 'content-length': '1000' }
    const sent = request(`${prosa.url()}/api/auth/photo`, {
      method: 'PUT',
      headers: { ...headers, [idempotencyKeyHeader]: key },
    })
    const slow = { sent, isRefused: false }
    sent.on('error', () => undefined)
    sent.on('response', () => {
      slow.isRefused = true
    })
    sent.write('GIF89a')
    return slow
  }
  const small = picture(20, 20).png().toBuffer()
  const sendAs = async (by: string, key = '') => send(await small, { by, key })
  const takeSlot = async (by: string, key: string) => {
    let slow = openSlow(by, key)
    await until(async () => {
      if (slow.isRefused) slow = openSlow(by, key)
      return (await sendAs(by)).status === 503
    })
    return slow.sent
  }

  it('take one place of each account: another one is refused at once, and taken when the first is over', async () => {
    const slowly = await prosa.register({ email: 'devagar@example.com' })
    const other = await prosa.register({ email: 'outra@example.com' })
    const sent = await takeSlot(slowly.cookie, 'slowly')
    const refused = await sendAs(slowly.cookie)
    expect([refused.body.type, refused.retryAfter]).toEqual(['photos_busy', '10'])
    expect((await sendAs(other.cookie)).status).toBe(200)
    sent.destroy()
    await until(async () => (await sendAs(slowly.cookie)).status === 200)
  })

  it('let a repetition wait for the first, and take no place for one that left while it waited', async () => {
    const { cookie: again } = await prosa.register({ email: 'denovo@example.com' })
    const first = await takeSlot(again, 'the same picture')
    const left = openSlow(again, 'the same picture').sent
    await setTimeout(300)
    left.destroy()
    await setTimeout(300)
    const waits = sendAs(again, 'the same picture')
    first.destroy()
    expect((await waits).status).toBe(200)
    await until(async () => (await sendAs(again)).status === 200)
  })
})

describe('an account that is erased', () => {
  it('takes its pictures with it', async () => {
    const photoId = photoIn(await send(await picture(20, 20).png().toBuffer()))
    expect((await prosa.post('erase-account', { password: marina.password }, cookie)).status).toBe(200)
    await isGone(photoId)
    expect(await prosa.historyOf(id)).toContain('UserErased')
  })
})
