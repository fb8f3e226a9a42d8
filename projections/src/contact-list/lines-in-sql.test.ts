import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Contact, ContactCounts } from '@prosa/contracts/http/live-chat'
import { type LineFact, lineByTheWords } from '@prosa/contracts/values/testing/line-by-the-words'
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

const action = fc.record({
  what: fc.constantFrom(
    ...(['wrote', 'wrote', 'wrote', 'answered', 'chose', 'chose'] as const),
    ...(['linked', 'linked', 'opened', 'dropped', 'removed', 'merged', 'merged', 'separated'] as const),
  ),
  connection: fc.nat(3),
  contact: fc.nat(4),
  other: fc.nat(4),
  phone: fc.constantFrom('551130000001', '551130000002', '551130000003'),
  second: fc.nat(1000),
  /** A wrong clock reports a future moment. */
  isAhead: fc.boolean(),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

interface Line {
  id: string
  isRemoved: boolean
  isOpen: boolean
  phones: { phone: string; since: string }[]
}

interface Fact {
  at: string | null
  fact: LineFact
}

/** Null moment: the present number. */
const holderOf = (lines: readonly Line[], id: string, at: string | null): string | undefined => {
  const line = lines.find((each) => each.id === id)
  if (!line) return undefined
  const known = at === null ? line.phones.at(-1) : (line.phones.findLast(({ since }) => since <= at) ?? line.phones[0])
  const present = line.phones.at(-1)
  const hasIt = !line.isRemoved && known === present
  if (hasIt && (line.isOpen || !present)) return id
  const holders = lines.filter((each) => known && !each.isRemoved && each.phones.at(-1)?.phone === known.phone)
  const holder = holders.findLast(({ isOpen }) => isOpen) ?? (hasIt ? line : holders.at(-1))
  return holder?.id
}

/** Only the highest rank of each connection counts. */
const lastOfEach = (facts: readonly Fact[]): Fact[] =>
  [...new Set(facts.map(({ fact }) => fact.connectionId))]
    .flatMap((id) => {
      const own = facts.filter(({ fact }) => fact.connectionId === id)
      const weight = ({ fact }: Fact) =>
        fact.what === 'wrote' ? fact.at : fact.what === 'chose' ? `${fact.lastReceivedAt ?? ''} ` : ''
      const max = own.reduce((best, each) => (weight(best) > weight(each) ? best : each))
      return [{ max, place: facts.indexOf(max) }]
    })
    .toSorted((one, other) => one.place - other.place)
    .map(({ max }) => max)

const lineOf = (facts: readonly Fact[], lines: readonly Line[]): string | null => {
  const led = lastOfEach(facts).flatMap(({ at, fact }) => {
    const target = holderOf(lines, fact.connectionId, at)
    return target === undefined ? [] : [{ ...fact, connectionId: target }]
  })
  return lineByTheWords(led, () => true) ?? null
}

const people = (contacts: readonly string[]) => {
  const behind = new Map<string, string>()
  const separated = new Set<string>()
  const facts = new Map<string, Fact[]>(contacts.map((id) => [id, []]))
  const survivorOf = (id: string): string => behind.get(id) ?? id
  const absorbedBy = (id: string) => contacts.filter((each) => behind.get(each) === id).toSorted()
  const factsOf = (id: string) => [...absorbedBy(id), id].flatMap((each) => facts.get(each) ?? [])
  return {
    survivorOf,
    absorbedBy,
    factsOf,
    note: (id: string, fact: Fact) => facts.get(id)?.push(fact),
    mayMerge: (one: string, other: string) =>
      one !== other &&
      ![one, ...absorbedBy(one)].some((a) =>
        [other, ...absorbedBy(other)].some((b) => separated.has([a, b].sort().join())),
      ),
    merge: (one: string, into: string) => behind.set(one, into),
    separate(id: string, from: string) {
      behind.delete(id)
      separated.add([id, from].sort().join())
    },
  }
}

let tenants = 0

const played = async (oneOfEach: readonly Action[]) => {
  const name = `filters ${tenants++}`
  const tenant = idOf(name)
  const lines: Line[] = [0, 1, 2, 3].map((index) => ({
    ...{ id: idOf(`${name} connection ${index}`), isRemoved: false, isOpen: false, phones: [] },
  }))
  const contacts = [0, 1, 2, 3, 4].map((index) => idOf(`${name} contact ${index}`))
  const known = people(contacts)
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  let start = ''
  for (const { id } of lines)
    start = await prosa.append(tenant, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
  for (const [index, id] of contacts.entries()) await record(tenant, id, added(`Contato ${index}`, null))
  const startedAt = Number(start)

  const toLine = async (line: Line, { what, phone }: Action) => {
    const facts: Partial<Record<Action['what'], AnyEvent>> = {
      linked: { type: 'NumberLinked', data: { phone, lid: null, pushName: null } },
      opened: { type: 'LineOpened', data: {} },
      dropped: { type: 'LineDropped', data: { code: 428, reason: 'lost' } },
      removed: { type: 'ConnectionRemoved', data: {} },
    }
    const event = facts[what]
    if (!event || line.isRemoved) return
    const position = await prosa.append(tenant, `connection-${line.id}`, event)
    line.isOpen = what === 'opened'
    line.isRemoved = what === 'removed'
    if (what === 'linked' && line.phones.at(-1)?.phone !== phone)
      line.phones.push({ phone, since: line.phones.length === 0 ? '' : at(Number(position)) })
  }

  const toContact = async (id: string, connectionId: string, each: Action, index: number) => {
    const over = (event: AnyEvent) => ({ ...event, data: { ...event.data, connectionId } }) as AnyEvent
    const moment = at(startedAt + each.second)
    if (each.what === 'wrote') {
      const event = received(`M${index}`, 'oi', each.isAhead ? at(999_999_999) : moment)
      await record(tenant, id, over({ ...event, data: { ...event.data, receivedAt: moment } } as AnyEvent))
      known.note(id, { at: moment, fact: { what: 'wrote', connectionId, at: moment } })
    } else if (each.what === 'answered') {
      await record(tenant, id, over(queued(`M${index}`, 'oi')))
      known.note(id, { at: null, fact: { what: 'answered', connectionId } })
    } else if (each.what === 'chose') {
      const written = known.factsOf(id).flatMap(({ fact }) => (fact.what === 'wrote' ? [fact.at] : []))
      const lastReceivedAt = written.toSorted().at(-1) ?? null
      await record(tenant, id, {
        type: 'LineChosen',
        data: { connectionId, attendantId, chosenAt: moment, lastReceivedAt },
      })
      known.note(id, { at: moment, fact: { what: 'chose', connectionId, lastReceivedAt } })
    }
  }

  /** As in `settleMerge`. */
  const merge = async (from: string, into: string) => {
    if (!known.mayMerge(from, into)) return
    for (const each of [from, ...known.absorbedBy(from)]) {
      await record(tenant, each, { type: 'ContactAbsorbed', data: { into } })
      await record(tenant, into, { type: 'ContactMerged', data: { absorbed: each } })
      known.merge(each, into)
    }
  }
  const separate = async (id: string) => {
    const from = known.survivorOf(id)
    if (from === id) return
    await record(tenant, from, { type: 'ContactSeparated', data: { restored: id } })
    await record(tenant, id, { type: 'ContactRestored', data: { from } })
    known.separate(id, from)
  }

  for (const [index, each] of oneOfEach.entries()) {
    const line = lines[each.connection]
    const [id, other] = [contacts[each.contact] ?? '', contacts[each.other] ?? '']
    if (!line) continue
    if (each.what === 'merged') await merge(known.survivorOf(id), known.survivorOf(other))
    else if (each.what === 'separated') await separate(id)
    else {
      await toLine(line, each)
      await toContact(known.survivorOf(id), line.id, each, index)
    }
  }
  const last = idOf(`${name} last`)
  const end = await prosa.append(tenant, `connection-${last}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
  await prosa.get('/api/whatsapp/connections', tenant, end)
  const roots = contacts.filter((id) => known.survivorOf(id) === id)
  const expected = new Map(roots.map((id) => [id, lineOf(known.factsOf(id), lines)]))
  return { tenant, latest, expected, connections: [...lines.map(({ id }) => id), last, idOf('nobody')] }
}

it(
  'a conversation and the filter by line have the line of the rule’s words, after any history of connections, numbers, messages, choices, merges and separations',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(action, { minLength: 20, maxLength: 60, selector: ({ second }) => second }),
        async (oneOfEach) => {
          const { tenant, latest, expected, connections } = await played(oneOfEach)
          const get = async <T>(path: string): Promise<T> =>
            (await prosa.get(`/api/whatsapp/${path}`, tenant, latest())).body
          const all = await until(async () => {
            const found = await get<Contact[]>('contacts')
            return found.length === expected.size && found
          })
          expect(Object.fromEntries(all.map(({ id, connectionId }) => [id, connectionId]))).toEqual(
            Object.fromEntries(expected),
          )
          for (const connectionId of connections) {
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
