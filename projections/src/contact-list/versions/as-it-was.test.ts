import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneOfEach, streamOf } from '../../testing/one-of-each-event.ts'
import { testProjections } from '../../testing/test-projections.ts'
import { added, contactLog, received, resolved } from '../testing/contact-events.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
let now = at(900_000)
beforeAll(async () => {
  prosa = await testProjections({ now: () => now })
})
afterAll(() => prosa.stop())

const line = idOf('line')

/** What a subscriber's screens ask. */
const pathsOf = (contact: string) => [
  'contacts',
  'contacts?status=waiting',
  'contacts?status=attending',
  'contacts?status=resolved',
  'contact-counts',
  `contacts/${contact}`,
  `contacts/${contact}/messages`,
]
const filtersOf = (connectionId: string) => [
  `contacts?connectionId=${connectionId}`,
  `contact-counts?connectionId=${connectionId}`,
]

const toLine: readonly AnyEvent[] = [
  { type: 'ConnectionAdded', data: { name: 'Loja' } },
  { type: 'NumberLinked', data: { phone: '551130000001', lid: null, pushName: null } },
  { type: 'LineOpened', data: {} },
  { type: 'LineDropped', data: { code: 428, reason: 'lost' } },
  { type: 'ConnectionRemoved', data: {} },
]

const scenario = fc.array(
  fc.record({ contact: fc.nat(2), message: fc.nat(2), chosen: fc.nat(), line: fc.option(fc.nat(4), { freq: 3 }) }),
  { minLength: 6, maxLength: shortOrLong(14, 40) },
)

const then = (path: string, em: string) =>
  `/api/whatsapp/${path}${path.includes('?') ? '&' : '?'}em=${encodeURIComponent(em)}`

let tenants = 0
const newTenant = () => idOf(`owner ${tenants++}`)

it(
  'list, counts, details and messages of every moment are what the screens showed then, after any history of contacts, messages, merges, separations, erasures and lines',
  () =>
    fc.assert(
      fc.asyncProperty(scenario, async (steps) => {
        const tenant = newTenant()
        const own = (id: string) => idOf(`${tenant} ${id}`)
        const contacts = [0, 1, 2].map((index) => own(`contact ${index}`))
        const ofTenant = (event: AnyEvent): AnyEvent =>
          JSON.parse(
            [0, 1]
              .reduce(
                (text, index) => text.replaceAll(idOf(`contact ${index}`), contacts[index] ?? ''),
                JSON.stringify(event),
              )
              .replaceAll(line, own('line')),
          )
        const shown: { position: string; path: string; status: number; body: unknown }[] = []
        const note = async (position: string) => {
          await prosa.get('/api/whatsapp/connections', tenant, position)
          for (const path of [...contacts.flatMap(pathsOf), ...filtersOf(own('line'))]) {
            const { status, body } = await prosa.get(`/api/whatsapp/${path}`, tenant, position)
            shown.push({ position, path, status, body })
          }
        }
        const label = { labelId: idOf('label'), name: 'Fiel', colour: 'red' } as const
        const labelled = await prosa.append(tenant, `label-${tenant}`, { type: 'LabelCreated', data: label })
        await prosa.get('/api/labels', tenant, labelled)
        for (const [index, step] of steps.entries()) {
          const id = contacts[step.contact] ?? ''
          const all = oneOfEach(`M${step.message}`)
          const ofContact = index < 2 ? all[0] : all[step.chosen % all.length]
          const [event, stream] =
            step.line === null && ofContact
              ? [ofTenant(ofContact), streamOf(id, ofContact)]
              : [toLine[step.line ?? 0], `connection-${own('line')}`]
          if (event) await note(await prosa.append(tenant, stream, event))
        }
        for (const { position, path, status, body } of shown) {
          const { body: past, ...reply } = await prosa.get(then(path, prosa.tokenOf(tenant, position)), tenant)
          const withoutCode = (problem: object) => ({ ...problem, correlationId: '' })
          if (status === 200) expect({ path, past }).toEqual({ path, past: body })
          else expect(withoutCode(past)).toEqual(withoutCode(body as object))
          expect(reply.status).toBe(status)
        }
      }),
      { numRuns: shortOrLong(3, 100), endOnFailure: true },
    ),
  shortOrLong(120_000, 1_200_000),
)

it('refuses moments of the future, of others and of nobody, in words', async () => {
  const [ana, bia] = [newTenant(), newTenant()]
  const position = await prosa.append(ana, `contact-${idOf(ana)}`, added('Ana', null))
  const refused = async (em: string) => (await prosa.get(then('contact-counts', em), ana)).body.errors
  const future = [{ field: 'em', message: 'Este momento ainda não chegou. Escolha um que já passou.' }]
  const unknown = [{ field: 'em', message: 'Este momento não existe. Escolha outro na linha do tempo.' }]
  expect(await refused(at(900_001))).toEqual(future)
  for (const em of [position, prosa.tokenOf(bia, position), '12/11/2026', '9'.repeat(500)])
    expect(await refused(em)).toEqual(unknown)
  expect(await refused('')).toEqual([{ field: 'em', message: 'Escolha um momento.' }])
  const search = await prosa.get(then('contacts?search=ana', prosa.tokenOf(ana, position)), ana)
  expect(search.body.errors).toMatchObject([{ field: 'search' }])
})

it('an instant is the last that was recorded by then; another tenant sees nothing of it', async () => {
  const [ana, bia] = [newTenant(), newTenant()]
  const id = idOf(`contact of ${ana}`)
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  await record(ana, id, added('Ana', '5511988776655'), received('M1', 'oi'))
  const waiting = latest()
  await record(ana, id, resolved)
  const counts = async (tenant: string, em: string) => (await prosa.get(then('contact-counts', em), tenant)).body
  const nobody = { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 }
  // `testLog` records one event a second.
  const recordedAt = at(Number(waiting) - 1)
  expect(await counts(ana, recordedAt)).toEqual({ ...nobody, waiting: 1 })
  expect(await counts(ana, at(890_000))).toEqual({ ...nobody, resolved: 1 })
  expect(await counts(ana, '2020-01-01T00:00:00.000Z')).toEqual(nobody)
  expect(await counts(bia, at(890_000))).toEqual(nobody)
  for (const path of [`contacts/${id}`, `contacts/${id}/messages`])
    expect((await prosa.get(then(path, at(890_000)), bia)).status).toBe(404)
  now = recordedAt
  expect((await prosa.get(then('contact-counts', at(890_000)), ana)).status).toBe(422)
  now = at(900_000)
})

it('between the events of a merge, and of its end, the past shows the two as the list did', async () => {
  const tenant = newTenant()
  const [into, absorbed] = [idOf(`survivor of ${tenant}`), idOf(`absorbed of ${tenant}`)]
  const steps: [string, AnyEvent][] = [
    [into, added('Ana', null)],
    [absorbed, added('Ana de novo', null)],
    [into, { type: 'ContactMerged', data: { absorbed } }],
    [absorbed, { type: 'ContactAbsorbed', data: { into } }],
    [into, { type: 'ContactSeparated', data: { restored: absorbed } }],
    [absorbed, { type: 'ContactRestored', data: { from: into } }],
  ]
  const shown: { em: string; now: unknown }[] = []
  for (const [id, event] of steps) {
    const position = await prosa.append(tenant, `contact-${id}`, event)
    expect(await prosa.ports.readModels.reached(['contact-list'], position, 10_000)).toBe(true)
    const { body } = await prosa.get('/api/whatsapp/contacts', tenant)
    shown.push({ em: prosa.tokenOf(tenant, position), now: body })
  }
  for (const { em, now: list } of shown) expect((await prosa.get(then('contacts', em), tenant)).body).toEqual(list)
})

it('of an erased tenant no version stays', async () => {
  const ana = newTenant()
  const id = idOf(`contact of ${ana}`)
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  await record(ana, id, added('Ana', null), received('M1', 'oi'), { type: 'ContactErased', data: {} })
  const before = latest()
  await prosa.get(then('contact-counts', prosa.tokenOf(ana, before)), ana)
  const rows = async () =>
    (await prosa.ports.pool.query('select from contact_version where owner = $1', [ana])).rowCount
  expect(await rows()).toBeGreaterThan(0)
  const erased = await prosa.append(ana, `user-${ana}`, { type: 'UserErased', data: {} })
  expect(await prosa.ports.readModels.reached(['contact-versions'], erased, 5000)).toBe(true)
  expect(await rows()).toBe(0)
})
