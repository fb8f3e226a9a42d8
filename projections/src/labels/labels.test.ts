import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
})
afterAll(() => prosa.stop())

let latest = ''
const record = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
  for (const event of events) latest = await prosa.append(tenant, stream, event)
}
const created = (name: string, colour: LabelColour = 'green'): AnyEvent => ({
  type: 'LabelCreated',
  data: { labelId: idOf(name), name, colour },
})
const deleted = (name: string): AnyEvent => ({ type: 'LabelDeleted', data: { labelId: idOf(name) } })
const labelled = (name: string): AnyEvent => ({ type: 'ContactLabelled', data: { labelId: idOf(name) } })
const labelsOf = async (user: string) => (await prosa.get('/api/labels', user, latest)).body

describe('labels', () => {
  const ana = idOf('ana')

  it('come by name, whatever its case and accents, as they were changed last', async () => {
    await record(
      ana,
      `label-${ana}`,
      created('VIP'),
      created('ótimo', 'red'),
      created('Novo'),
      created('Antigo'),
      { type: 'LabelRenamed', data: { labelId: idOf('Novo'), name: 'Cliente novo' } },
      { type: 'LabelRecoloured', data: { labelId: idOf('Novo'), colour: 'pink' } },
      deleted('Antigo'),
    )
    expect(await labelsOf(ana)).toEqual([
      { id: idOf('Novo'), name: 'Cliente novo', colour: 'pink' },
      { id: idOf('ótimo'), name: 'ótimo', colour: 'red' },
      { id: idOf('VIP'), name: 'VIP', colour: 'green' },
    ])
    expect((await prosa.get('/api/labels')).status).toBe(401)
  })

  it('are nobody else’s, and go with the account of their subscriber', async () => {
    const caio = idOf('caio')
    await record(caio, `label-${caio}`, created('de Caio'))
    expect((await labelsOf(caio)).map(({ name }: { name: string }) => name)).toEqual(['de Caio'])
    expect(await labelsOf(ana)).toHaveLength(3)
    await record(caio, `user-${caio}`, { type: 'UserErased', data: {} })
    expect(await labelsOf(caio)).toEqual([])
  })
})

describe('the contacts of a label', () => {
  const list = async (tenant: string, query: string) => {
    await labelsOf(tenant)
    return prosa.get(`/api/whatsapp/contacts?${query}`, tenant, latest)
  }
  const ids = async (tenant: string, query: string) =>
    (await list(tenant, query)).body.map(({ id }: { id: string }) => id)
  const contactIn = async (tenant: string, name: string, ...events: AnyEvent[]) => {
    const id = idOf(`${tenant} ${name}`)
    await record(
      tenant,
      `contact-${id}`,
      { type: 'ContactAdded', data: { name, phone: null, lid: null, origin: 'message' } },
      ...events,
    )
    return id
  }

  it('are found by it, in each queue and by a search, and have it by its name', async () => {
    const rui = idOf('rui')
    await record(rui, `label-${rui}`, created('zelo'), created('atraso'))
    const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId: rui } }
    const both = await contactIn(rui, 'Bia', labelled('zelo'), labelled('atraso'))
    const attended = await contactIn(rui, 'Lia', labelled('zelo'), accepted)
    const taken = await contactIn(rui, 'Eva', labelled('zelo'), {
      type: 'ContactUnlabelled',
      data: { labelId: idOf('zelo') },
    })
    const { body } = await list(rui, 'status=waiting')
    expect(body.map(({ id, labels }: { id: string; labels: string[] }) => [id, labels])).toEqual([
      [both, [idOf('atraso'), idOf('zelo')]],
      [taken, []],
    ])
    expect((await ids(rui, `label=${idOf('zelo')}`)).sort()).toEqual([both, attended].sort())
    expect(await ids(rui, `label=${idOf('zelo')}&status=waiting`)).toEqual([both])
    expect(await ids(rui, `label=${idOf('zelo')}&search=lia`)).toEqual([attended])
    expect(await ids(rui, `label=${idOf('ninguém')}`)).toEqual([])
    const next = async (query: string) =>
      (await prosa.get(`/api/whatsapp/longest-waiting?${query}`, rui, latest)).body.contact?.id ?? null
    expect(await next(`except=${both}`)).toBe(taken)
    expect(await next(`label=${idOf('zelo')}`)).toBe(both)
    expect(await next(`label=${idOf('zelo')}&except=${both}`)).toBeNull()
    expect((await prosa.get('/api/whatsapp/contacts?label=zelo', rui)).status).toBe(422)
  })

  it('have the labels of both once they are one person, and each its own once they are separated', async () => {
    const eli = idOf('eli')
    await record(eli, `label-${eli}`, created('um'), created('dois'))
    const ze = await contactIn(eli, 'Zé', labelled('um'))
    const jose = await contactIn(eli, 'José', labelled('dois'))
    const labels = async (id: string) => (await prosa.get(`/api/whatsapp/contacts/${id}`, eli, latest)).body.labels
    await record(eli, `contact-${ze}`, { type: 'ContactMerged', data: { absorbed: jose } }, labelled('dois'))
    await record(eli, `contact-${jose}`, { type: 'ContactAbsorbed', data: { into: ze } })
    expect(await labels(jose)).toEqual([idOf('dois'), idOf('um')])
    expect(await ids(eli, `label=${idOf('dois')}`)).toEqual([ze])
    await record(eli, `contact-${ze}`, { type: 'ContactSeparated', data: { restored: jose } })
    await record(eli, `contact-${jose}`, { type: 'ContactRestored', data: { from: ze } })
    expect(await labels(jose)).toEqual([idOf('dois')])
  })

  it('lose it at once when it is deleted, all 5,000 of them, without an event of any', async () => {
    const gil = idOf('gil')
    await record(gil, `label-${gil}`, created('de todos'), created('de um'))
    const one = await contactIn(gil, 'Única', labelled('de um'))
    await prosa.ports.pool.query(
      `insert into contact_list
         (id, owner, search, service_status, last_activity, own_activity, unread_count, seen_place, labels)
       select '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), $1, '', 'attending', $2, $2, 0, '',
              case when n % 2 = 0 then jsonb_build_array($3::text) else '[]' end
       from generate_series(1, 10000) n`,
      [gil, at(5), idOf('de todos')],
    )
    const query = `label=${idOf('de todos')}&status=attending`
    const first = await list(gil, query)
    const second = await list(gil, `${query}&cursor=${first.headers['prosa-next-cursor']}`)
    const shown = [...first.body, ...second.body] as { id: string; labels: string[] }[]
    expect(new Set(shown.map(({ id }) => id)).size).toBe(100)
    expect(shown.every(({ labels }) => labels[0] === idOf('de todos'))).toBe(true)

    await prosa.ports.pool.query('analyze contact_list')
    const rare = await prosa.ports.pool.query<{ 'QUERY PLAN': string }>(
      `explain select id from contact_list where owner = $1 and labels @> $2 and labels <> '[]'`,
      [gil, JSON.stringify([idOf('de um')])],
    )
    expect(rare.rows.map((row) => row['QUERY PLAN']).join()).toContain('contact_list_labels')
    expect(await ids(gil, `label=${idOf('de um')}`)).toEqual([one])

    const before = (await list(gil, 'status=attending')).headers.etag as string
    await record(gil, `label-${gil}`, deleted('de todos'))
    await labelsOf(gil)
    expect(await ids(gil, query)).toEqual([])
    const after = await prosa.get('/api/whatsapp/contacts?status=attending', gil, latest, { 'if-none-match': before })
    expect([after.status, after.body.every(({ labels }: { labels: string[] }) => labels.length === 0)]).toEqual([
      200,
      true,
    ])
  })
})
