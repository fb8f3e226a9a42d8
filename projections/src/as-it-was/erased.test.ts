import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { contactSubject } from '@prosa/contracts/events/subjects'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Position } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { defaultPlanRules } from '@prosa/product/entitlements/plan-rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accepted, added, queued, received, resolved, text } from '../contact-list/testing/contact-events.ts'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(900_000) }, defaultPlanRules, { isEncrypted: true })
})
afterAll(() => prosa.stop())

const [ana, admin] = [idOf('ana'), idOf('administrator')]
const [maria, joao] = [idOf('maria'), idOf('joao')]
const planted = Array.from({ length: 20 }, (_, index) => `plantado${String(index).padStart(2, '0')}x`)
const secret = (index: number) => planted[index] ?? ''

const lengths = new Map<string, number>()
let seconds = 0
let latest = ''
/** With the product's own encryption, unlike `append`. */
const record = async (contact: string, ...events: readonly AnyEvent[]) => {
  const { store, codec } = prosa.ports
  for (const event of events) {
    const isChat = /^(Message|Chat|Edit|Reaction)/.test(event.type)
    const stream = `${contact === admin ? 'user' : isChat ? 'chat' : 'contact'}-${contact}`
    const length = lengths.get(stream) ?? 0
    lengths.set(stream, length + 1)
    const id = deriveId('planted event', stream, length)
    const actor = { kind: 'system', id: 'test' } as const
    const tenant = contact === admin ? admin : ana
    const metadata = { causationId: id, correlationId: id, actor, tenant, recordedAt: at(seconds++) }
    const encoded = await codec.encode([{ id, stream, event, metadata }])
    const result = await store.append(stream, length === 0 ? 'no_stream' : BigInt(length - 1), encoded)
    if (!result.ok) throw new Error(`${stream} is not where the test left it`)
    latest = result.position
  }
}

const edited = (messageId: string, words: string): AnyEvent => ({
  type: 'MessageEdited',
  data: { messageId, content: text(words), editedAt: at(1) },
})
const withFile = (messageId: string, caption: string, name: string, quotedWords: string): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId,
    connectionId: idOf('line'),
    sentAt: at(2),
    content: {
      kind: 'document',
      fileName: name,
      caption,
      file: { id: idOf(`file ${messageId}`), mediaType: 'application/pdf', bytes: 1, source: null },
      quoted: { messageId: 'M1', text: quotedWords },
    },
  },
})

const asked = (em: string) => [
  `/api/whatsapp/contacts?em=${em}`,
  `/api/whatsapp/contact-counts?em=${em}`,
  ...[maria, joao].flatMap((id) => [
    `/api/whatsapp/contacts/${id}?em=${em}`,
    `/api/whatsapp/contacts/${id}/messages?em=${em}`,
    `/api/records/contact/${id}?em=${em}`,
    `/api/moments?em=${em}&contactId=${id}`,
  ]),
  `/api/moments?em=${em}`,
  `/api/moments/changes?em=${em}`,
]

const askedByAdmin = (em: string) =>
  [maria, joao].flatMap((id) => [
    `/api/admin/records/contact/${id}?em=${em}`,
    `/api/admin/contacts/${id}/messages?em=${em}`,
  ])

/** Everything that is shown of each position of the log, and of some instants. */
const shownAtEveryMoment = async (positions: readonly string[]) => {
  await prosa.get('/api/whatsapp/contacts', ana, latest)
  const moments = [
    ...positions.map((position) => prosa.tokenOf('administrators', position)),
    ...[seconds / 4, seconds / 2, seconds].map((second) => at(Math.floor(second))),
  ]
  const pages: string[] = []
  for (const moment of moments)
    pages.push(
      ...(await Promise.all(asked(encodeURIComponent(moment)).map((path) => prosa.get(path, ana)))).map((page) =>
        JSON.stringify(page),
      ),
      ...(await Promise.all(askedByAdmin(encodeURIComponent(moment)).map((path) => prosa.get(path, admin)))).map(
        (page) => JSON.stringify(page),
      ),
    )
  return pages.join('\n')
}

it('of an erased contact, no moment shows any of 20 planted strings; the others stay', async () => {
  const positions: string[] = []
  const step = async (contact: string, ...events: readonly AnyEvent[]) => {
    for (const event of events) {
      await record(contact, event)
      positions.push(latest)
    }
  }
  const person = { firstName: 'Rita', lastName: 'Lima', email: 'rita@example.com', credentialId: idOf('secret') }
  await record(admin, { type: 'UserRegistered', data: person }, { type: 'RoleGranted', data: { role: 'admin' } })
  await prosa.ports.readModels.reached(['account', 'history-places'], latest as Position, 20_000)
  await step(joao, added('Joao que fica', '5511912345678'), received('M1', 'bom dia de quem fica'))
  await step(
    maria,
    added(secret(0), '5511988776655'),
    { type: 'ContactNamed', data: { name: secret(1) } },
    ...[2, 3, 4].map((index) => received(`M${index}`, secret(index))),
    accepted,
    { type: 'ContactRenamed', data: { name: secret(5) } },
    ...[6, 7, 8].map((index) => queued(`M${index}`, secret(index))),
    edited('M2', secret(9)),
    edited('M6', secret(10)),
    withFile('M11', secret(11), secret(12), secret(13)),
    { type: 'ContactRenamed', data: { name: secret(14) } },
    resolved,
    { type: 'ConversationReopened', data: {} },
    ...[15, 16, 17, 18].map((index) => received(`M${index}`, secret(index))),
    { type: 'ContactNamed', data: { name: secret(19) } },
    { type: 'ContactRenamed', data: { name: null } },
  )
  const before = await shownAtEveryMoment(positions)
  expect(planted.filter((word) => !before.includes(word))).toEqual([])
  expect(before).toContain('5511988776655')
  const [, readByAdmin = ''] = askedByAdmin(encodeURIComponent(at(seconds)))
  expect(JSON.stringify(await prosa.get(readByAdmin, admin))).toContain(secret(18))

  await step(maria, { type: 'ContactErased', data: {} })
  expect(await prosa.ports.subjectKeys.erase([contactSubject(maria)])).toBeGreaterThan(0)
  await until(async () => {
    const { body } = await prosa.get(`/api/records/contact/${maria}?em=${encodeURIComponent(at(seconds))}`, ana)
    return !JSON.stringify(body).includes('plantado')
  })
  const after = await shownAtEveryMoment(positions)
  expect(planted.filter((word) => after.includes(word))).toEqual([])
  expect(after).not.toContain('5511988776655')
  expect(after).toContain('Joao que fica')
  expect(after).toContain('bom dia de quem fica')
  expect(after).toContain('[apagado]')
})
