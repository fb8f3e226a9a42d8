import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Message } from '@prosa/contracts/http/live-chat'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const ana = idOf('ana')
const connectionId = idOf('line')
const added: AnyEvent = { type: 'ContactAdded', data: { name: null, phone: null, lid: null, origin: 'message' } }
const received = (messageId: string, words: string, quotedId?: string): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId,
    connectionId,
    content: { kind: 'text', text: words, quoted: quotedId === undefined ? null : { messageId: quotedId, text: '' } },
    sentAt: at(0),
  },
})

describe('the pages of a chat', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let chats = 0
  const chatWith = async (...events: AnyEvent[]) => {
    const id = idOf(`chat ${++chats}`)
    let position = await prosa.append(ana, `contact-${id}`, added)
    for (const event of events) position = await prosa.append(ana, `chat-${id}`, event)
    const get = (query = '') => prosa.get(`/api/whatsapp/contacts/${id}/messages${query}`, ana, position)
    return { id, get }
  }
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => received(`M${index}`, `${index}`))
  const contents = ({ body }: { body: Message[] }) => body.map(({ content }) => Number(content))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

  it('hold 100 messages each, from the latest to the first', async () => {
    const { get } = await chatWith(...numbered(230))
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const reply = await get(cursor ? `?cursor=${cursor}` : '')
      pages.unshift(reply.body.map(({ content }: Message) => content))
      cursor = reply.headers['prosa-next-cursor'] as string | undefined
    } while (cursor)
    expect(pages.map((page) => page.length)).toEqual([30, 100, 100])
    expect(pages.flat()).toEqual(Array.from({ length: 230 }, (_, index) => `${index}`))
  })

  it('lead on by texts that name no position of the log, and that lead nobody else anywhere', async () => {
    const { get, id } = await chatWith(...numbered(130))
    const { headers } = await get('?around=M60')
    const [older, newer] = [String(headers['prosa-next-cursor']), String(headers['prosa-newer-cursor'])]
    const places = (await prosa.ports.pool.query<{ place: string }>('select place from chat_message')).rows
    for (const cursor of [older, newer])
      for (const { place } of places) {
        expect(cursor).not.toContain(place)
        expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(place)
      }
    const stranger = idOf('stranger')
    await prosa.append(stranger, `contact-${idOf('their chat')}`, added)
    for (const query of [`cursor=${older}`, `after=${newer}`])
      expect(
        (await prosa.get(`/api/whatsapp/contacts/${idOf('their chat')}/messages?${query}`, stranger)).status,
      ).not.toBe(200)
    expect((await prosa.get(`/api/whatsapp/contacts/${id}/messages?cursor=${older}`, stranger)).status).not.toBe(200)
  })

  it('begin anew for a page that has the plain position of a release before, which would tell how long the log is', async () => {
    const { get } = await chatWith(...numbered(130))
    const plain = Buffer.from(JSON.stringify(['0000000000000000050'])).toString('base64url')
    for (const query of [`?cursor=${plain}`, `?after=${plain}`]) {
      const reply = await get(query)
      expect([reply.status, contents(reply)]).toEqual([200, range(30, 129)])
      expect(contents(await get(`?cursor=${reply.headers['prosa-next-cursor']}`))).toEqual(range(0, 29))
    }
    expect((await get('?cursor=abc')).status).toBe(422)
  })

  it('stand around any message, and lead on from there in both directions to the ends', async () => {
    const { get } = await chatWith(...numbered(330))
    const around = await get('?around=M165')
    expect(contents(around)).toEqual(range(115, 214))
    const newer = await get(`?after=${around.headers['prosa-newer-cursor']}`)
    expect(contents(newer)).toEqual(range(215, 314))
    const newest = await get(`?after=${newer.headers['prosa-newer-cursor']}`)
    expect(contents(newest)).toEqual(range(315, 329))
    expect(newest.headers['prosa-newer-cursor']).toBeUndefined()
    const older = await get(`?cursor=${around.headers['prosa-next-cursor']}`)
    expect(contents(older)).toEqual(range(15, 114))
    expect(contents(await get(`?after=${older.headers['prosa-newer-cursor']}`))).toEqual(range(115, 214))
    const oldest = await get(`?cursor=${older.headers['prosa-next-cursor']}`)
    expect(contents(oldest)).toEqual(range(0, 14))
    expect(oldest.headers['prosa-next-cursor']).toBeUndefined()
    const latest = await get()
    expect(contents(latest)).toEqual(range(230, 329))
    expect(latest.headers['prosa-newer-cursor']).toBeUndefined()
  })

  it.each([
    ['M0', 0, 49, undefined, expect.any(String)],
    ['M99', 49, 99, expect.any(String), undefined],
  ])('stand around the ends of the chat too (%s)', async (id, from, to, older, newer) => {
    const { get } = await chatWith(...numbered(100))
    const page = await get(`?around=${id}`)
    expect(contents(page)).toEqual(range(from, to))
    expect([page.headers['prosa-next-cursor'], page.headers['prosa-newer-cursor']]).toEqual([older, newer])
  })

  it('do not stand around what is not in their chat', async () => {
    const { get } = await chatWith(received('A', 'um'))
    expect((await get('?around=B')).body).toMatchObject({ type: 'message_not_found', status: 404 })
    expect((await get('?around=A&after=x')).status).toBe(422)
  })

  it('of merged contacts are those of one chat, and two again after a separation', async () => {
    const one = await chatWith(received('A', '0'))
    const two = await chatWith(received('B', '1'))
    const record = (stream: string, event: AnyEvent) => prosa.append(ana, stream, event)
    await record(`chat-${one.id}`, received('C', '2', 'B'))
    for (let index = 3; index < 150; index++)
      await record(`chat-${index % 3 === 0 ? one.id : two.id}`, received(`M${index}`, `${index}`))
    await record(`contact-${one.id}`, { type: 'ContactMerged', data: { absorbed: two.id } })
    const merged = await record(`contact-${two.id}`, { type: 'ContactAbsorbed', data: { into: one.id } })

    for (const id of [one.id, two.id]) {
      const get = (query = '') => prosa.get(`/api/whatsapp/contacts/${id}/messages${query}`, ana, merged)
      const latest = await get()
      expect(contents(latest)).toEqual(range(50, 149))
      expect(new Set(latest.body.map(({ contactId }: Message) => contactId))).toEqual(new Set([one.id]))
      const first = await get(`?cursor=${latest.headers['prosa-next-cursor']}`)
      expect(first.body.map((each: Message) => each.id).slice(0, 4)).toEqual(['A', 'B', 'C', 'M3'])
      expect(first.body[2].quoted).toEqual({ id: 'B', content: '1', sender: 'contact' })
      expect(contents(await get('?around=M100'))).toEqual(range(50, 149))
    }

    await record(`contact-${one.id}`, { type: 'ContactSeparated', data: { restored: two.id } })
    const parted = await record(`contact-${two.id}`, { type: 'ContactRestored', data: { from: one.id } })
    const of = async (id: string) => (await prosa.get(`/api/whatsapp/contacts/${id}/messages`, ana, parted)).body
    expect((await of(one.id)).map((each: Message) => each.id).slice(0, 3)).toEqual(['A', 'C', 'M3'])
    expect((await of(two.id)).map((each: Message) => each.id).slice(0, 3)).toEqual(['B', 'M4', 'M5'])
  })
})
