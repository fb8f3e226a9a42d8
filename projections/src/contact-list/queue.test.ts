import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import {
  accepted,
  added,
  attendantId,
  connectionId,
  contactLog,
  ended,
  movedAway,
  queued,
  received,
  reopened,
  resolved,
  started,
  takenOver,
  text,
  writtenByFlow,
} from './testing/contact-events.ts'

describe('who speaks with a contact', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(900_000) })
  })
  afterAll(() => prosa.stop())

  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const get = async (path: string, tenant: string) => (await prosa.get(`/api/whatsapp/${path}`, tenant, latest())).body
  let shops = 0
  const shop = () => {
    const tenant = idOf(`shop ${++shops}`)
    const idIn = (name: string) => idOf(`${tenant} ${name}`)
    return {
      tenant,
      idIn,
      /** A customer wrote, `secondsAgo` before the first. */
      async writes(name: string, secondsAgo: number, ...events: AnyEvent[]) {
        await record(tenant, idIn(name), added(name, null), received(`${name} 1`, 'oi', at(-secondsAgo)), ...events)
        return idIn(name)
      },
      happens: (id: string, ...events: AnyEvent[]) => record(tenant, id, ...events),
      of: (id: string) => get(`contacts/${id}`, tenant),
      counts: () => get('contact-counts', tenant),
      names: async (status: string): Promise<string[]> =>
        (await get(`contacts?status=${status}`, tenant)).map(({ name }: { name: string }) => name),
      next: async () => (await get('longest-waiting', tenant)).contact?.name ?? null,
      asOf: async (path: string, position: string) =>
        (await prosa.get(`/api/whatsapp/${path}&em=${prosa.tokenOf(tenant, position)}`, tenant)).body,
    }
  }

  it('puts first who asked for a person, then who waits longest, and apart whom a flow leads', async () => {
    const { writes, names, counts, next, of } = shop()
    await writes('Ana', 50)
    await writes('Bia', 90)
    const caio = await writes('Caio', 10, started('a'), ended('a', 'handed_over'))
    await writes('Davi', 5, started('b'), ended('b', 'handed_over'))
    const eva = await writes('Eva', 500, started('c'), writtenByFlow('Eva 2', 'Posso ajudar?'))
    expect(await names('waiting')).toEqual(['Caio', 'Davi', 'Bia', 'Ana'])
    expect(await names('bot')).toEqual(['Eva'])
    expect(await counts()).toEqual({ waiting: 4, asked: 2, bot: 1, attending: 0, resolved: 0 })
    expect(await next()).toBe('Caio')
    expect(await of(caio)).toMatchObject({ botSince: null, personAskedAt: expect.any(String) })
    expect(await of(eva)).toMatchObject({ botSince: expect.any(String), personAskedAt: null })
  })

  it('pages through all of them, once each, in that order', async () => {
    const { tenant, writes } = shop()
    const expected: string[] = []
    for (let index = 0; index < 60; index++) {
      const asks = [started(`r${index}`), ended(`r${index}`, 'handed_over')]
      await writes(`n${index}`, 100 - index, ...(index % 2 === 0 ? [] : asks))
      expected.push(`n${index}`)
    }
    const first = await prosa.get('/api/whatsapp/contacts?status=waiting', tenant, latest())
    const cursor = first.headers['prosa-next-cursor']
    const second = await get(`contacts?status=waiting&cursor=${cursor}`, tenant)
    const shown = [...first.body, ...second].map(({ name }: { name: string }) => name)
    const isAsking = (name: string) => Number(name.slice(1)) % 2 === 1
    expect(shown).toEqual([...expected.filter(isAsking), ...expected.filter((name) => !isAsking(name))])
  })

  it('shows that a flow wrote last, and no longer once somebody else did', async () => {
    const { writes, happens, of } = shop()
    const ana = await writes('Ana', 1, started('a'), writtenByFlow('F', 'Qual sabor?'))
    expect((await of(ana)).lastMessage).toMatchObject({ content: 'Qual sabor?', sender: 'user', isFlow: true })
    await happens(ana, queued('Q', 'Pronto'))
    expect((await of(ana)).lastMessage).toMatchObject({ content: 'Pronto', isFlow: false })
    await happens(ana, received('M', 'Nozes'))
    expect((await of(ana)).lastMessage).toMatchObject({ sender: 'contact', isFlow: false })
  })

  it('lets whom a flow left without a transfer wait since they wrote', async () => {
    const { writes, names, of } = shop()
    const ana = await writes('Ana', 70, started('a'), ended('a', 'silence'))
    expect(await names('bot')).toEqual([])
    expect(await of(ana)).toMatchObject({ serviceStatus: 'waiting', waitingSince: at(-70), personAskedAt: null })
  })

  it('stays with the robot while one of several runs goes on, and while one goes on into the next', async () => {
    const { writes, happens, of } = shop()
    const ana = await writes('Ana', 1, started('a'), started('b'))
    const since = (await of(ana)).botSince
    await happens(ana, ended('b', 'completed'), started('c', 'flow'))
    expect((await of(ana)).botSince).toBe(since)
    await happens(ana, ended('a', 'completed'))
    expect((await of(ana)).botSince > since).toBe(true)
    await happens(ana, ended('c', 'completed'), ended('c', 'completed'))
    expect((await of(ana)).botSince).toBeNull()
  })

  const asking = [started('a'), ended('a', 'handed_over')]
  const onPhone: AnyEvent = {
    type: 'MessageSentElsewhere',
    data: { messageId: 'E', connectionId, content: text('Já vai'), sentAt: at(800_000) },
  }
  const resumed: AnyEvent = { type: 'FlowsResumed', data: { resumedAt: at(0), isFinished: true } }
  it.each<[string, AnyEvent[]]>([
    ['somebody accepted', [accepted]],
    ['somebody answered on the phone', [onPhone]],
    ['somebody finished', [accepted, resolved]],
    ['somebody finished, before flows went on without that being recorded', [resolved, reopened]],
    ['flows start again', [resumed]],
  ])('asked for a person until %s', async (_, events) => {
    const { writes, happens, of, counts } = shop()
    const ana = await writes('Ana', 1, ...asking)
    expect((await counts()).asked).toBe(1)
    await happens(ana, ...events)
    expect((await of(ana)).personAskedAt).toBeNull()
    expect((await counts()).asked).toBe(0)
  })

  it('keeps who asked waiting though a flow finishes, and asks once however often it is transferred', async () => {
    const { writes, happens, of } = shop()
    const ana = await writes('Ana', 1, ...asking)
    const { personAskedAt } = await of(ana)
    const byFlow: AnyEvent = { type: 'ConversationResolved', data: { attendantId, flowId: idOf('flow') } }
    await happens(ana, byFlow, reopened, ...asking.slice(1))
    expect((await of(ana)).personAskedAt).toBe(personAskedAt)
  })

  it('did not ask where somebody attends already', async () => {
    const { writes, of } = shop()
    const ana = await writes('Ana', 1, started('a'), accepted, ended('a', 'handed_over'))
    expect(await of(ana)).toMatchObject({ serviceStatus: 'attending', personAskedAt: null })
  })

  it('goes with a merge to the survivor, and is its own again once separated', async () => {
    const { writes, happens, of, counts, names } = shop()
    const [ana, bia] = [await writes('Ana', 9, ...asking), await writes('Bia', 5, started('b'))]
    const { personAskedAt } = await of(ana)
    await happens(bia, { type: 'ContactMerged', data: { absorbed: ana } })
    await happens(ana, { type: 'ContactAbsorbed', data: { into: bia } })
    const counted = { from: ana, starts: [], messages: [], handedOverAt: at(1) }
    await happens(bia, ended('b', 'completed'), { type: 'FlowCountsTakenOver', data: counted })
    expect(await of(bia)).toMatchObject({ personAskedAt, botSince: null })
    expect(await counts()).toMatchObject({ waiting: 1, asked: 1, bot: 0 })
    await happens(bia, accepted, { type: 'ContactSeparated', data: { restored: ana } })
    await happens(ana, { type: 'ContactRestored', data: { from: bia } })
    expect(await of(ana)).toMatchObject({ personAskedAt })
    expect(await of(bia)).toMatchObject({ personAskedAt: null })
    expect(await names('waiting')).toEqual(['Ana'])
  })

  it('takes runs along with a merge', async () => {
    const { writes, happens, of, names } = shop()
    const [ana, bia] = [await writes('Ana', 9, started('a')), await writes('Bia', 5)]
    await happens(bia, { type: 'ContactMerged', data: { absorbed: ana } })
    await happens(ana, { type: 'ContactAbsorbed', data: { into: bia } }, movedAway('a', bia))
    await happens(bia, takenOver('a', ana))
    expect(await of(bia)).toMatchObject({ botSince: expect.any(String) })
    expect(await names('bot')).toEqual(['Bia'])
    await happens(bia, ended('a', 'completed'))
    expect(await names('waiting')).toEqual(['Bia'])
  })

  it('of an erased contact nothing stays, though its runs end later', async () => {
    const { writes, counts, happens } = shop()
    const ana = await writes('Ana', 1, started('a'), { type: 'ContactErased', data: {} }, ended('a', 'handed_over'))
    expect(await counts()).toEqual({ waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 })
    await happens(ana, started('b'))
    expect((await counts()).bot).toBe(0)
  })

  it('is shown of every moment as it was', async () => {
    const { tenant, writes, happens, asOf } = shop()
    const ana = await writes('Ana', 1, started('a'), writtenByFlow('F', 'Qual sabor?'))
    const withBot = latest()
    await happens(ana, ended('a', 'handed_over'))
    const asked = latest()
    await happens(ana, accepted)
    await get('contact-counts', tenant)
    expect(await asOf('contacts?status=bot', withBot)).toMatchObject([{ id: ana, lastMessage: { isFlow: true } }])
    expect(await asOf('contacts?status=waiting', withBot)).toEqual([])
    expect(await asOf('contacts?status=waiting', asked)).toMatchObject([{ id: ana, personAskedAt: expect.any(String) }])
    expect(await asOf('contact-counts?', asked)).toMatchObject({ waiting: 1, asked: 1, bot: 0 })
    expect(await asOf('contact-counts?', latest())).toMatchObject({ asked: 0, attending: 1 })
  })

  it('another tenant sees nothing of', async () => {
    const { writes } = shop()
    await writes('Ana', 1, ...asking)
    const other = shop()
    expect([await other.names('waiting'), await other.names('bot'), await other.counts()]).toEqual([
      [],
      [],
      { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 },
    ])
  })
})
