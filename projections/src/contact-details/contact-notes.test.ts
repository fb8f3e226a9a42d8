import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const ana = idOf('ana')
const bia = idOf('bia')

describe('the notes about a contact', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let latest = ''
  const record = async (tenant: string, contact: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(tenant, `contact-${idOf(contact)}`, event)
  }
  const added: AnyEvent = { type: 'ContactAdded', data: { name: 'Rui', phone: null, lid: null, origin: 'message' } }
  const note = (name: string, text: string, attendantId = ana): AnyEvent => ({
    type: 'ContactNoteWritten',
    data: { noteId: idOf(name), text, attendantId },
  })
  const notes = (contact: string, user = ana) =>
    prosa.get(`/api/whatsapp/contacts/${idOf(contact)}/notes`, user, latest)
  const texts = async (contact: string) => (await notes(contact)).body.map(({ text }: { text: string }) => text)

  it('come with who wrote them and when, the latest first, without those that were removed', async () => {
    latest = await prosa.append(ana, `user-${ana}`, {
      type: 'UserRegistered',
      data: { firstName: 'Marina', lastName: 'Alves', email: 'marina@padaria.example', credentialId: ana },
    })
    await record(ana, 'rui', added, note('one', 'um'), note('two', 'dois'), note('three', 'três'))
    await record(ana, 'rui', { type: 'ContactNoteRemoved', data: { noteId: idOf('two') } })
    const { body } = await notes('rui')
    expect(body).toMatchObject([
      { id: idOf('three'), text: 'três', author: 'Marina Alves' },
      { id: idOf('one'), text: 'um' },
    ])
    expect(Number.isNaN(Date.parse(body[0].writtenAt))).toBe(false)
  })

  it('of a contact that was merged stand at the one that goes on for it', async () => {
    await record(ana, 'old', added, note('old one', 'do antigo'))
    await record(ana, 'new', added, note('new one', 'do novo'))
    await record(ana, 'new', { type: 'ContactAbsorbed', data: { into: idOf('old') } })
    await record(ana, 'old', { type: 'ContactMerged', data: { absorbed: idOf('new') } })
    expect(await texts('old')).toEqual(['do novo', 'do antigo'])
    expect(await texts('new')).toEqual(['do novo', 'do antigo'])
  })

  it('are nobody else’s', async () => {
    await record(ana, 'secret', added, note('secret', 'segredo'))
    expect((await notes('secret', bia)).status).toBe(404)
    expect((await prosa.get(`/api/whatsapp/contacts/${idOf('secret')}/notes`)).status).toBe(401)
  })

  it('go with the contact', async () => {
    await record(ana, 'gone', added, note('gone one', 'segredo'), { type: 'ContactErased', data: {} })
    expect((await notes('gone')).status).toBe(404)
    const { rows } = await prosa.ports.pool.query('select from contact_note where contact_id = $1', [idOf('gone')])
    expect(rows).toEqual([])
  })
})
