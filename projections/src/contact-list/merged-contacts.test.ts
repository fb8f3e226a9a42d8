import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { added, attendantId, contactLog, queued, received } from './testing/contact-events.ts'

describe('the contact list of people who were two contacts', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const list = (query: string, tenant: string) => prosa.get(`/api/whatsapp/contacts?${query}`, tenant, latest())
  const merge = async (tenant: string, survivor: string, absorbed: string) => {
    await record(tenant, survivor, { type: 'ContactMerged', data: { absorbed } })
    await record(tenant, absorbed, { type: 'ContactAbsorbed', data: { into: survivor } })
  }
  const separate = async (tenant: string, survivor: string, restored: string) => {
    await record(tenant, survivor, { type: 'ContactSeparated', data: { restored } })
    await record(tenant, restored, { type: 'ContactRestored', data: { from: survivor } })
  }
  const three = async (name: string) => {
    const tenant = idOf(name)
    const ids = ['Zé', 'José', 'Rita'].map((each) => idOf(`${name} ${each}`))
    const [ze = '', jose = '', rita = ''] = ids
    await record(tenant, ze, added('Zé', '5511911110000'), received('A', 'sou o Zé', at(-80)))
    await record(
      tenant,
      jose,
      added('José Antônio', null),
      received('B', 'um', at(-60)),
      received('C', 'dois', at(-50)),
    )
    await record(tenant, rita, added('Rita', null), received('D', 'oi', at(-70)))
    const get = async (id: string) => (await prosa.get(`/api/whatsapp/contacts/${id}`, tenant, latest())).body
    const shown = async (query = '') => (await list(query, tenant)).body.map(({ id }: { id: string }) => id)
    return { tenant, ze, jose, rita, get, shown }
  }

  it('shows one of them, with the unread and the last message of both, where the later one stood', async () => {
    const { tenant, ze, jose, rita, get, shown } = await three('merging')
    expect(await shown()).toEqual([jose, rita, ze])
    await merge(tenant, ze, jose)
    expect(await shown()).toEqual([ze, rita])
    expect(await get(ze)).toMatchObject({
      id: ze,
      name: 'Zé',
      unreadCount: 3,
      lastActivity: at(-50),
      lastMessage: { content: 'dois' },
      merged: [{ id: jose, name: 'José Antônio', phone: null }],
      numberMoved: null,
    })
    expect(await get(jose)).toEqual(await get(ze))
    expect((await prosa.get('/api/whatsapp/contact-counts', tenant, latest())).body.waiting).toBe(2)
    expect((await list('', tenant)).body[0]).toEqual(await get(ze))
  })

  it('is found by the names of both', async () => {
    const { tenant, ze, jose, shown } = await three('searching')
    await merge(tenant, ze, jose)
    for (const search of ['antonio', '911110000']) expect(await shown(`search=${search}`)).toEqual([ze])
    expect(await shown('search=antonio&status=resolved')).toEqual([])
  })

  it('has seen both once one is seen', async () => {
    const { tenant, ze, jose, get } = await three('seeing')
    await merge(tenant, ze, jose)
    await record(tenant, ze, { type: 'ChatSeen', data: { attendantId } })
    expect((await get(ze)).unreadCount).toBe(0)
    await record(tenant, ze, received('E', 'mais uma', at(-40)))
    expect(await get(ze)).toMatchObject({ unreadCount: 1, lastMessage: { content: 'mais uma' } })
  })

  it('shows each for itself once the merge is taken back', async () => {
    const { tenant, ze, jose, rita, get, shown } = await three('separating')
    await merge(tenant, ze, jose)
    await separate(tenant, ze, jose)
    expect(await shown()).toEqual([jose, rita, ze])
    expect(await get(ze)).toMatchObject({
      unreadCount: 1,
      lastActivity: at(-80),
      lastMessage: { content: 'sou o Zé' },
      merged: [],
      numberMoved: null,
    })
    expect(await get(jose)).toMatchObject({
      id: jose,
      unreadCount: 2,
      lastActivity: at(-50),
      lastMessage: { content: 'dois' },
    })
    expect(await shown('search=antonio')).toEqual([jose])
  })

  it('counts nothing as unread after a separation that was seen before it', async () => {
    const { tenant, ze, jose, get } = await three('seen and separated')
    await merge(tenant, ze, jose)
    await record(tenant, ze, queued('E', 'já vi'))
    await separate(tenant, ze, jose)
    expect((await get(jose)).unreadCount).toBe(0)
  })

  const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId } }
  const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId } }
  const reopened: AnyEvent = { type: 'ConversationReopened', data: {} }

  it('waits since whichever of both began to, and each for itself once the merge is taken back', async () => {
    const { tenant, ze, jose, rita, get } = await three('waiting')
    await merge(tenant, jose, ze)
    expect((await get(jose)).waitingSince).toBe(at(-80))
    await separate(tenant, jose, ze)
    expect([(await get(jose)).waitingSince, (await get(ze)).waitingSince]).toEqual([at(-60), at(-80)])
    await merge(tenant, ze, rita)
    expect((await get(ze)).waitingSince).toBe(at(-80))
  })

  it('waits on where only the other one waited', async () => {
    const { tenant, ze, jose, get } = await three('waiting on')
    await record(tenant, jose, accepted, resolved)
    await merge(tenant, jose, ze)
    expect((await get(jose)).waitingSince).toBeNull()
    await record(tenant, jose, reopened)
    expect((await get(jose)).waitingSince).toBe(at(-80))
    const next = (await prosa.get('/api/whatsapp/longest-waiting', tenant, latest())).body.contact
    expect(next.id).toBe(jose)
    await separate(tenant, jose, ze)
    expect((await get(jose)).waitingSince > at(0)).toBe(true)
  })

  it('waits anew after both were attended', async () => {
    const { tenant, ze, jose, get } = await three('waiting anew')
    await merge(tenant, jose, ze)
    await record(tenant, jose, accepted)
    expect((await get(jose)).waitingSince).toBeNull()
    await record(tenant, jose, resolved, reopened)
    expect((await get(jose)).waitingSince > at(0)).toBe(true)
  })

  it('does not wait for what was attended before the next merge', async () => {
    const { tenant, ze, jose, rita, get } = await three('attended between')
    await merge(tenant, jose, ze)
    await record(tenant, jose, accepted, resolved)
    await merge(tenant, rita, jose)
    await record(tenant, ze, { type: 'ContactAbsorbed', data: { into: rita } })
    await record(tenant, rita, { type: 'ContactMerged', data: { absorbed: ze } })
    expect((await get(rita)).waitingSince).toBe(at(-70))
    await separate(tenant, rita, ze)
    expect((await get(ze)).waitingSince).toBe(at(-80))
  })

  it('leads through several merges to whoever goes on for all', async () => {
    const { tenant, ze, jose, rita, get, shown } = await three('chain')
    await merge(tenant, ze, jose)
    await record(tenant, ze, { type: 'ChatSeen', data: { attendantId } })
    await merge(tenant, rita, ze)
    expect(await shown()).toEqual([rita])
    const contact = await get(jose)
    expect(contact).toMatchObject({ id: rita, unreadCount: 1, lastActivity: at(-50), lastMessage: { content: 'oi' } })
    expect(contact.merged.map(({ id }: { id: string }) => id).sort()).toEqual([jose, ze].sort())
    expect(await shown('search=antonio')).toEqual([rita])
    await merge(tenant, rita, jose)
    await separate(tenant, rita, ze)
    expect(await get(ze)).toMatchObject({ id: ze, lastActivity: at(-80), merged: [] })
    expect((await get(jose)).id).toBe(rita)
    expect(await shown()).toEqual([rita, ze])
  })
})
