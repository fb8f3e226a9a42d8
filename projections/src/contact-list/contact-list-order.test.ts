import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { accepted, added, connectionId, contactLog, received, text } from './testing/contact-events.ts'

describe('the order of the contact list', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const list = async (query: string, tenant: string) => prosa.get(`/api/whatsapp/contacts?${query}`, tenant, latest())

  it('pages through those who wait, who waits longest first, without gaps or repeats', async () => {
    const bia = idOf('bia')
    const expected: string[] = []
    for (let index = 0; index < 120; index++) {
      const id = idOf(`contact of bia ${index}`)
      await record(bia, id, added(`n${index}`, null))
      await record(bia, id, received('M', 'oi', at(-1000 - Math.floor(index / 30))))
      expected.push(id)
    }
    const seen: string[] = []
    const sizes: number[] = []
    let cursor: string | undefined
    do {
      const reply = await list(`status=waiting${cursor ? `&cursor=${cursor}` : ''}`, bia)
      seen.push(...reply.body.map(({ id }: { id: string }) => id))
      sizes.push(reply.body.length)
      cursor = reply.headers['prosa-next-cursor'] as string | undefined
    } while (cursor)
    expect(sizes).toEqual([50, 50, 20])
    expect([...seen].sort()).toEqual([...expected].sort())
    const moments = (await list('status=waiting', bia)).body.map(
      ({ waitingSince }: { waitingSince: string }) => waitingSince,
    )
    expect(moments).toEqual([...moments].sort())
    expect((await prosa.get('/api/whatsapp/contact-counts', bia)).body).toEqual({
      waiting: 120,
      asked: 0,
      bot: 0,
      attending: 0,
      resolved: 0,
    })
  })

  it('pages through a tab of those attended, latest activity first', async () => {
    const duda = idOf('duda')
    for (let index = 0; index < 60; index++)
      await record(
        duda,
        idOf(`contact of duda ${index}`),
        added(null, null),
        accepted,
        received('M', 'oi', at(index % 7)),
      )
    const first = await list('status=attending', duda)
    const second = await list(`status=attending&cursor=${first.headers['prosa-next-cursor']}`, duda)
    const shown: { id: string; lastActivity: string }[] = [...first.body, ...second.body]
    expect(new Set(shown.map(({ id }) => id)).size).toBe(60)
    expect(shown).toHaveLength(60)
    const moments = shown.map(({ lastActivity }) => lastActivity)
    expect(moments).toEqual([...moments].sort().reverse())
  })

  it('lists those who wait from the first moment on that nobody answered, not by what they wrote last', async () => {
    const gil = idOf('gil')
    const [waiting, talkative, typed, answered] = ['waiting', 'talkative', 'typed', 'answered'].map((name) =>
      idOf(`contact of gil ${name}`),
    ) as [string, string, string, string]
    await record(gil, typed, added(null, '5511900001111', 'attendant'))
    await record(gil, talkative, added(null, null), received('M1', 'oi', at(-3000)), received('M2', 'e?', at(8000)))
    await record(gil, waiting, added(null, null), received('M1', 'oi', at(-2000)))
    await record(gil, answered, added(null, null), received('M1', 'oi', at(-9000)))
    const elsewhere: AnyEvent = {
      type: 'MessageSentElsewhere',
      data: { messageId: 'M2', connectionId, content: text('Já vai'), sentAt: at(-8000) },
    }
    await record(gil, answered, elsewhere)
    const inTurn = async () => (await list('status=waiting', gil)).body as { id: string; waitingSince: string | null }[]
    expect((await inTurn()).map(({ id }) => id)).toEqual([talkative, waiting, answered, typed])
    expect((await inTurn()).map(({ waitingSince }) => waitingSince)).toEqual([at(-3000), at(-2000), null, null])
    const longest = await prosa.get(`/api/whatsapp/longest-waiting?except=${talkative}`, gil, latest())
    expect(longest.body.contact.id).toBe(waiting)
    await record(gil, answered, received('M3', 'e o troco?', at(-2500)))
    await record(gil, typed, received('M1', 'oi', at(-1000)))
    expect((await inTurn()).map(({ id }) => id)).toEqual([talkative, answered, waiting, typed])
  })

  it('knows who has been waiting longest, however many have written since', async () => {
    const davi = idOf('davi')
    const [first, second, ...later] = Array.from({ length: 60 }, (_, index) => idOf(`contact of davi ${index}`))
    for (const id of [first, second, ...later]) if (id) await record(davi, id, added(null, null))
    if (first) await record(davi, first, received('M', 'Alguém aí?', at(8000)))
    const next = async (query = '') =>
      (await prosa.get(`/api/whatsapp/longest-waiting${query}`, davi, latest())).body.contact?.id
    expect(await next()).toBe(first)
    expect(await next(`?except=${first}`)).toBe(second)
    expect(await next('?except=nobody')).toBe(first)
    if (first) await record(davi, first, accepted)
    expect(await next()).toBe(second)
    for (const id of [second, ...later]) if (id) await record(davi, id, accepted)
    expect(await prosa.get('/api/whatsapp/longest-waiting', davi, latest())).toMatchObject({ body: { contact: null } })
  })
})
