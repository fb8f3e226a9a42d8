import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { RecordThen } from '@prosa/contracts/http/past/moments'
import type { PastRecordKind } from '@prosa/contracts/http/past/past-records'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { added, contactLog, resolved } from '../contact-list/testing/contact-events.ts'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(900_000) })
})
afterAll(() => prosa.stop())

const [ana, bia] = [idOf('ana'), idOf('bia')]
const [line, flow] = [idOf('line of ana'), idOf('flow of ana')]
const later = encodeURIComponent(at(800_000))
const day = [{ from: '08:00', to: '18:00' }]
const week = [[], day, day, day, day, day, []]
const reply = (shortcut: string, content: string): AnyEvent => ({
  type: 'QuickReplyAdded',
  data: { quickReplyId: idOf(shortcut), shortcut, content, isActive: true },
})

interface Case {
  id: string
  events: readonly (readonly [stream: string, event: AnyEvent])[]
  /** After the first event, and after all. */
  first: object
  last: object
}

const cases: Partial<Record<PastRecordKind, Case>> = {
  connection: {
    id: line,
    events: [
      [`connection-${line}`, { type: 'ConnectionAdded', data: { name: 'Balcão' } }],
      [`connection-${line}`, { type: 'NumberLinked', data: { phone: '551130000001', lid: null, pushName: null } }],
      [`connection-${line}`, { type: 'LineOpened', data: {} }],
    ],
    first: { Nome: 'Balcão', Situação: 'Conectando' },
    last: { Nome: 'Balcão', Situação: 'Conectada', Número: '551130000001' },
  },
  flow: {
    id: flow,
    events: [
      [
        `flow-${flow}`,
        { type: 'FlowCreated', data: { name: 'Vendas', folderId: null, document: starterFlow(), origin: 'new' } },
      ],
      [`flow-${flow}`, { type: 'FlowPublished', data: { version: 1, document: starterFlow() } }],
      [`flow-${flow}`, { type: 'FlowRenamed', data: { name: 'Vendas de Natal' } }],
    ],
    first: { Nome: 'Vendas', Ligado: 'não', 'Versão publicada': 'nenhuma' },
    last: { Nome: 'Vendas de Natal', Ligado: 'sim', 'Versão publicada': '1' },
  },
  quickReplies: {
    id: ana,
    events: [
      [`quickReply-${ana}`, reply('preco', 'R$ 10')],
      [`quickReply-${ana}`, reply('oi', 'Olá!')],
      [
        `quickReply-${ana}`,
        {
          type: 'QuickReplyChanged',
          data: { quickReplyId: idOf('preco'), shortcut: 'preco', content: 'R$ 12', isActive: false },
        },
      ],
    ],
    first: { '/preco': 'R$ 10' },
    last: { '/oi': 'Olá!', '/preco': 'R$ 12 (desligada)' },
  },
  openingHours: {
    id: ana,
    events: [
      [`openingHours-${ana}`, { type: 'OpeningHoursSet', data: { timeZone: 'America/Manaus', week, holidays: [] } }],
      [`openingHours-${ana}`, { type: 'OutOfHoursReplyWritten', data: { text: 'Voltamos às 8h.' } }],
      [`openingHours-${ana}`, { type: 'OutOfHoursReplyTurnedOn', data: {} }],
    ],
    first: {
      'Fuso horário': 'America/Manaus',
      Domingo: 'fechado',
      Segunda: '08:00–18:00',
      'Resposta fora do horário': 'desligada',
    },
    last: { 'Resposta fora do horário': 'Voltamos às 8h.' },
  },
  access: {
    id: ana,
    events: [
      [
        `user-${ana}`,
        {
          type: 'UserRegistered',
          data: { firstName: 'Ana', lastName: 'Souza', email: 'ana@padaria.com.br', credentialId: idOf('credential') },
        },
      ],
      [`subscription-${ana}`, { type: 'TrialStarted', data: { endsAt: at(86_400) } }],
    ],
    first: { Nome: 'Ana Souza', Situação: 'Em teste' },
    last: { Nome: 'Ana Souza', 'Acesso até': '22/11/2026' },
  },
}

it.each(Object.entries(cases))('%s as it was then and is now, to its own tenant only', async (kind, given) => {
  const { id, events, first, last } = given
  for (const [stream, event] of events) await prosa.append(ana, stream, event)
  const read = async (em: string): Promise<RecordThen> =>
    (await prosa.get(`/api/records/${kind}/${id}?em=${em}`, ana)).body
  const valuesOf = ({ values }: RecordThen) => Object.fromEntries(values.map(({ label, value }) => [label, value]))
  const latest = await read(later)
  expect(latest.marks).toHaveLength(events.length)
  expect(valuesOf(latest)).toMatchObject(last)
  const earliest = await read(encodeURIComponent(latest.marks[0]?.em ?? ''))
  expect(valuesOf(earliest)).toMatchObject(first)
  expect(earliest.current).toBe(0)
  for (const label of Object.keys(last).filter((each) => !(each in first)))
    expect(valuesOf(earliest)[label]).not.toBe(valuesOf(latest)[label])
  expect(await prosa.get(`/api/records/${kind}/${id}?em=${later}`, bia)).toMatchObject({
    status: 404,
    body: { type: 'record_not_found' },
  })
})

it('refuses a moment that the versions have not reached, and shows it once they have', async () => {
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const id = idOf('contact of ana')
  await record(ana, id, added('Ana', null))
  await prosa.get(`/api/moments?em=${encodeURIComponent(prosa.tokenOf(ana, latest()))}`, ana)
  const holder = await prosa.ports.pool.connect()
  const ask = (path: string) => prosa.get(`${path}?em=${encodeURIComponent(prosa.tokenOf(ana, latest()))}`, ana)
  try {
    await holder.query('begin; lock table contact_version in access exclusive mode')
    await record(ana, id, resolved)
    const paths = [
      '/api/whatsapp/contacts',
      '/api/whatsapp/contact-counts',
      `/api/whatsapp/contacts/${id}`,
      '/api/moments',
      '/api/moments/changes',
    ]
    for (const reply of await Promise.all(paths.map(ask)))
      expect(reply).toMatchObject({ status: 503, body: { type: 'past_not_ready' } })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await prosa.ports.readModels.reached(['contact-versions'], latest() as Position, 20_000)).toBe(true)
  expect((await ask('/api/whatsapp/contact-counts')).body).toEqual({
    waiting: 0,
    asked: 0,
    bot: 0,
    attending: 0,
    resolved: 1,
  })
})
