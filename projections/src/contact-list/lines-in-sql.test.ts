import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Contact, ContactCounts } from '@prosa/contracts/http/live-chat'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { added, attendantId, contactLog, queued, received } from './testing/contact-events.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(90_000) })
})
afterAll(() => prosa.stop())

const happening = fc.record({
  what: fc.constantFrom('wrote', 'wrote', 'answered', 'chose', 'linked', 'linked', 'opened', 'dropped', 'removed'),
  connection: fc.nat(3),
  contact: fc.nat(5),
  phone: fc.constantFrom('551130000001', '551130000002', '551130000003'),
  second: fc.nat(60),
})

let owners = 0

it(
  'a filter by line finds those whose line it is, after any history of connections, numbers, messages and choices',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 20, maxLength: 60 }),
        fc.boolean(),
        async (happenings, isMerged) => {
          const name = `filters ${owners++}`
          const owner = idOf(name)
          const connections = [0, 1, 2, 3].map((index) => idOf(`${name} connection ${index}`))
          const contacts = [0, 1, 2, 3, 4, 5].map((index) => idOf(`${name} contact ${index}`))
          const { record, latest } = contactLog((...event) => prosa.append(...event))
          let start = ''
          for (const id of connections)
            start = await prosa.append(owner, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
          for (const [index, id] of contacts.entries()) await record(owner, id, added(`Contato ${index}`, null))
          const startedAt = Number(start)
          for (const [index, each] of happenings.entries()) {
            const connectionId = connections[each.connection] ?? ''
            const contactId = contacts[each.contact] ?? ''
            const over = (event: AnyEvent) => ({ ...event, data: { ...event.data, connectionId } }) as AnyEvent
            const sentAt = at(startedAt + each.second)
            const data = { connectionId, attendantId, chosenAt: sentAt, lastReceivedAt: sentAt }
            const ofConnection: Record<string, AnyEvent> = {
              linked: { type: 'NumberLinked', data: { phone: each.phone, lid: null, pushName: null } },
              opened: { type: 'LineOpened', data: {} },
              dropped: { type: 'LineDropped', data: { code: 428, reason: 'lost' } },
              removed: { type: 'ConnectionRemoved', data: {} },
            }
            const ofContact: Record<string, AnyEvent> = {
              wrote: over(received(`M${index}`, 'oi', sentAt)),
              answered: over(queued(`M${index}`, 'oi')),
              chose: { type: 'LineChosen', data },
            }
            const [toConnection, toContact] = [ofConnection[each.what], ofContact[each.what]]
            if (toConnection) await prosa.append(owner, `connection-${connectionId}`, toConnection)
            if (toContact) await record(owner, contactId, toContact)
          }
          const [one = '', other = ''] = contacts
          if (isMerged) {
            await record(owner, one, { type: 'ContactMerged', data: { absorbed: other } })
            await record(owner, other, { type: 'ContactAbsorbed', data: { into: one } })
          }
          const end = await prosa.append(owner, `connection-${connections[0]}`, {
            type: 'ConnectionDisconnected',
            data: {},
          })
          await prosa.get('/api/whatsapp/connections', owner, end)
          const get = async <T>(path: string): Promise<T> =>
            (await prosa.get(`/api/whatsapp/${path}`, owner, latest())).body
          const all = await until(async () => {
            const found = await get<Contact[]>('contacts')
            return found.length === (isMerged ? 5 : 6) && found
          })
          for (const connectionId of [...connections, idOf('nobody')]) {
            const own = all.filter((contact) => contact.connectionId === connectionId)
            expect(await get<Contact[]>(`contacts?connectionId=${connectionId}`)).toEqual(own)
            const counts = await get<ContactCounts>(`contact-counts?connectionId=${connectionId}`)
            expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(own.length)
          }
        },
      ),
      { numRuns: shortOrLong(8, 300), endOnFailure: true },
    )
  },
  shortOrLong(60_000, 600_000),
)
