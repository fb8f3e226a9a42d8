import { readdirSync, readFileSync } from 'node:fs'
import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import type { RecordThen } from '@prosa/contracts/http/past/moments'
import { type PastRecordKind, pastKindsOfAccount } from '@prosa/contracts/http/past/past-records'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const admin = idOf('administrator')
let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(900_000) })
  await prosa.append(admin, `user-${admin}`, golden('UserRegistered'))
  const granted = await prosa.append(admin, `user-${admin}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await prosa.ports.readModels.reached(['account'], granted as Position, 20_000)
})
afterAll(() => prosa.stop())

const examples = new URL('../../../contracts/src/events/golden/', import.meta.url)
/** An event as it is stored today. */
const golden = (type: EventType): AnyEvent => {
  const newest = readdirSync(examples).filter((file) => file.startsWith(`${type}.v`))
  const file = newest.toSorted().at(-1)
  return JSON.parse(readFileSync(new URL(file ?? '', examples), 'utf8'))
}

interface Case {
  readModel: string
  /** What screens read of the row today, as the record shows it; `$1`: the record. */
  rows: string
  category: string
  /** The first makes the record. */
  types: readonly EventType[]
  /** Field of the events that names the record, in streams that hold many. */
  part?: 'labelId' | 'quickReplyId' | 'runId'
  /** Shown as it was in the same screen. */
  screen?: string
}

const yesOrNo = (column: string) => `case when ${column} then 'sim' else 'não' end`
const labelEvents = ['LabelCreated', 'LabelRenamed', 'LabelRecoloured', 'LabelDeleted'] as const
const replyEvents = ['QuickReplyAdded', 'QuickReplyChanged', 'QuickReplyRemoved'] as const

const cases: Readonly<Record<PastRecordKind, Case>> = {
  contact: {
    readModel: 'contact-list',
    rows: `select json_build_object('Nome', name, 'Telefone', phone, 'Mensagens não lidas', unread_count::text) as shown from contact_list where id = $1`,
    category: 'contact',
    types: [
      ...(['ContactAdded', 'ContactRenamed', 'ContactNamed', 'ConversationAccepted', 'ConversationResolved'] as const),
      ...(['ConversationReopened', 'ConversationResumed', 'BotPaused', 'BotResumed'] as const),
    ],
  },
  connection: {
    readModel: 'connections',
    rows: `select json_build_object('Nome', case when is_removed then 'conexão removida' else name end, 'Número', phone, 'Motivo', status_reason) as shown from connection where id = $1`,
    category: 'connection',
    types: ['ConnectionAdded', 'NumberLinked', 'LineOpened', 'LineDropped', 'NumberUnlinked', 'ConnectionRemoved'],
  },
  flow: {
    readModel: 'flows',
    rows: `select json_build_object('Nome', name, 'Ligado', ${yesOrNo('is_on')}, 'Blocos', node_count::text, 'Versão publicada', coalesce(version::text, 'nenhuma')) as shown from flow where id = $1`,
    category: 'flow',
    types: ['FlowCreated', 'FlowRenamed', 'FlowPublished', 'FlowTurnedOff', 'FlowTurnedOn', 'FlowDeleted'],
  },
  folder: {
    readModel: 'flow-folders',
    rows: `select json_build_object('Nome', name, 'Descrição', description) as shown from flow_folder where id = $1`,
    category: 'flowFolder',
    types: ['FlowFolderCreated', 'FlowFolderDescribed', 'FlowFolderDeleted'],
  },
  run: {
    readModel: 'flow-runs',
    rows: `select json_build_object('Versão do fluxo', version::text) as shown from flow_run where id = $1`,
    category: 'flowRun',
    types: ['FlowRunStarted', 'FlowDelayStarted', 'FlowStepTaken', 'FlowRunEnded'],
    part: 'runId',
  },
  label: {
    readModel: 'labels',
    rows: `select json_build_object('Nome', name) as shown from label where id = $1`,
    category: 'label',
    types: labelEvents,
    part: 'labelId',
  },
  quickReply: {
    readModel: 'quick-replies',
    rows: `select json_build_object('Atalho', '/' || shortcut, 'Texto', content, 'Ligada', ${yesOrNo('is_active')}) as shown from quick_reply where id = $1`,
    category: 'quickReply',
    types: replyEvents,
    part: 'quickReplyId',
  },
  quickReplies: {
    screen: '/api/quick-replies',
    readModel: 'quick-replies',
    rows: `select json_object_agg('/' || shortcut, content || case when is_active then '' else ' (desligada)' end) as shown from quick_reply where owner = $1 having count(*) > 0`,
    category: 'quickReply',
    types: replyEvents,
  },
  labels: {
    screen: '/api/labels',
    readModel: 'labels',
    rows: `select json_build_object(min(name), null) as shown from label where owner = $1 having count(*) > 0`,
    category: 'label',
    types: labelEvents,
  },
  fields: {
    screen: '/api/contact-fields',
    readModel: 'contact-fields',
    rows: `select json_build_object(min(name), null) as shown from contact_field where owner = $1 having count(*) > 0`,
    category: 'contactField',
    types: ['ContactFieldCreated', 'ContactFieldRenamed', 'ContactFieldDeleted'],
  },
  company: {
    screen: '/api/company',
    readModel: 'company',
    rows: `select json_build_object('Nome', nullif(name, ''), 'Site', nullif(website, ''), 'Notificações', ${yesOrNo('notifications')}) as shown from company where id = $1`,
    category: 'company',
    types: ['CompanyDescribed', 'CompanyChoicesMade'],
  },
  openingHours: {
    screen: '/api/opening-hours',
    readModel: 'opening-hours',
    rows: `select json_build_object('Fuso horário', time_zone, 'Feriados', jsonb_array_length(holidays)::text, 'Resposta fora do horário', case when is_reply_on then nullif(reply_text, '') else 'desligada' end) as shown from opening_hours where id = $1`,
    category: 'openingHours',
    types: ['OpeningHoursSet', 'OutOfHoursReplyWritten', 'OutOfHoursReplyTurnedOn', 'OutOfHoursReplyTurnedOff'],
  },
  access: {
    readModel: 'account',
    rows: `select json_build_object('Nome', first_name || ' ' || last_name, 'E-mail', email, 'E-mail confirmado', ${yesOrNo('is_email_confirmed')}) as shown from account where id = $1`,
    category: 'user',
    types: ['UserRegistered', 'UserRenamed', 'EmailChanged', 'EmailConfirmed', 'UserErased'],
  },
  order: {
    readModel: 'transactions',
    rows: `select json_build_object('Produto', product_name, 'Comprador', buyer_name, 'Nas listas', ${yesOrNo('not is_hidden')}, 'De uma conta', ${yesOrNo('owner is not null')}) as shown from kiwify_transaction where id = $1`,
    category: 'order',
    types: ['OrderReported', 'OrderHidden', 'OrderShown', 'OrderAssigned', 'OrderPlanAssigned', 'OrderBuyerErased'],
  },
  plan: {
    readModel: 'plans',
    rows: `select json_build_object('Nome', plan_name, 'Preço', price, 'Oferecido', ${yesOrNo('is_offered')}) as shown from plan where id = $1`,
    category: 'plan',
    types: ['PlanCreated', 'PlanRevised', 'PlanDeleted'],
  },
  delivery: {
    readModel: 'webhook-deliveries',
    rows: `select json_build_object('Vezes que chegou', (repeated + 1)::text, 'Situação', case status when 'success' then 'Processado' when 'error' then 'Com erro' else 'Em processamento' end) as shown from webhook_delivery where id = $1`,
    category: 'webhookDelivery',
    types: [
      ...(['DeliveryReceived', 'DeliveryRepeated', 'DeliveryApplied', 'DeliveryIgnored'] as const),
      ...(['DeliveryUnreadable', 'DeliveryReprocessed', 'DeliveryExpired'] as const),
    ],
  },
}

const ofPlatform: readonly string[] = ['order', 'plan', 'delivery', 'access']
const isOfAccount = (kind: string) => pastKindsOfAccount.some((each) => each === kind)

const read = async (kind: string, id: string, em: string, user: string) => {
  const asked = `${kind}/${encodeURIComponent(id)}?em=${encodeURIComponent(em)}`
  return prosa.get(user === admin ? `/api/admin/records/${asked}` : `/api/records/${asked}`, user)
}
const valuesOf = ({ values }: RecordThen) => Object.fromEntries(values.map(({ label, value }) => [label, value]))

let records = 0

it.each(Object.keys(cases) as PastRecordKind[])(
  '%s: every moment of any history shows what the read model had then',
  (kind) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 3, maxLength: shortOrLong(7, 30) }), async (choices) => {
        const { readModel, rows, category, types, part, screen } = cases[kind]
        const tenant = idOf(`tenant ${records}`)
        const id = isOfAccount(kind) ? tenant : idOf(`record ${records++}`)
        records++
        const inStreamOf = part && category !== 'flowRun' ? tenant : id
        const known: { position: string; shown: Record<string, string | null> | undefined; screenThen: unknown }[] = []
        for (const [index, choice] of choices.entries()) {
          const event = golden(types[index === 0 ? 0 : choice % types.length] ?? types[0] ?? 'UserErased')
          if (part) Object.assign(event.data, { [part]: id })
          const position = await prosa.append(tenant, `${category}-${inStreamOf}`, event)
          await prosa.ports.readModels.reached([readModel, 'history-places'], position as Position, 20_000)
          const { rows: found } = await prosa.ports.pool.query(rows, [id])
          known.push({ position, shown: found[0]?.shown, screenThen: screen && (await prosa.get(screen, tenant)).body })
        }
        const reader = ofPlatform.includes(kind) ? admin : tenant
        for (const { position, shown, screenThen } of known) {
          const em = encodeURIComponent(prosa.tokenOf(tenant, position))
          if (screen) expect((await prosa.get(`${screen}?em=${em}`, tenant)).body).toEqual(screenThen)
          const { status, body } = await read(kind, id, prosa.tokenOf(reader, position), reader)
          expect({ kind, status }).toEqual({ kind, status: 200 })
          const values = valuesOf(body)
          if (shown === undefined) expect({ kind, values }).toEqual({ kind, values: {} })
          for (const [label, value] of Object.entries(shown ?? {}))
            if (value === null && ['labels', 'fields'].includes(kind)) expect(Object.keys(values)).toContain(label)
            else expect({ kind, label, value: values[label] ?? null }).toEqual({ kind, label, value })
        }
      }),
      { numRuns: shortOrLong(3, 60), endOnFailure: true },
    ),
  shortOrLong(60_000, 600_000),
)

it('a label has its own marks, not those of each contact that it was put on', async () => {
  const ana = idOf('ana of a label')
  const labelId = idOf('label of many')
  const made = golden('LabelCreated')
  Object.assign(made.data, { labelId })
  await prosa.append(ana, `label-${ana}`, made)
  let position = ''
  for (const contact of ['c1', 'c2', 'c3'].map(idOf)) {
    await prosa.append(ana, `contact-${contact}`, golden('ContactAdded'))
    position = await prosa.append(ana, `contact-${contact}`, { type: 'ContactLabelled', data: { labelId } })
  }
  await prosa.ports.readModels.reached(['labels', 'history-places'], position as Position, 20_000)
  expect((await read('label', labelId, at(890_000), ana)).body.marks).toHaveLength(1)
})

it('another tenant, and a subscriber who asks for a record of the platform, find nothing', async () => {
  const [ana, bia] = [idOf('ana'), idOf('bia')]
  for (const kind of Object.keys(cases) as PastRecordKind[]) {
    const { category, types, part, readModel } = cases[kind]
    const id = isOfAccount(kind) ? ana : idOf(`of ana ${kind}`)
    const event = golden(types[0] ?? 'UserErased')
    if (part) Object.assign(event.data, { [part]: id })
    const position = await prosa.append(ana, `${category}-${part && category !== 'flowRun' ? ana : id}`, event)
    await prosa.ports.readModels.reached([readModel, 'history-places'], position as Position, 20_000)
    const isShown = !['order', 'plan', 'delivery'].includes(kind)
    expect([kind, (await read(kind, id, at(890_000), ana)).status]).toEqual([kind, isShown ? 200 : 422])
    expect([kind, (await read(kind, id, at(890_000), bia)).status]).toEqual([kind, isShown ? 404 : 422])
    expect([kind, (await read(kind, id, at(890_000), admin)).body.values.length > 0]).toEqual([kind, true])
  }
})

it('refuses the future, a token of somebody else and what is no moment, in words; before it there was nothing', async () => {
  const ana = idOf('ana of moments')
  const position = await prosa.append(ana, `company-${ana}`, golden('CompanyDescribed'))
  const refusals: Record<string, string> = {
    [at(900_001)]: 'Este momento ainda não chegou. Escolha um que já passou.',
    [prosa.tokenOf(idOf('bia'), position)]: 'Este momento não existe. Escolha outro na linha do tempo.',
    '12/11/2026': 'Este momento não existe. Escolha outro na linha do tempo.',
    '': 'Escolha um momento.',
  }
  for (const [em, message] of Object.entries(refusals))
    for (const reader of [ana, admin])
      expect((await read('company', ana, em, reader)).body.errors).toEqual([{ field: 'em', message }])
  for (const reader of [ana, admin]) {
    const before = await read('company', ana, '2020-01-01T00:00:00.000Z', reader)
    expect(before.body).toMatchObject({ values: [], current: null })
    expect(before.body.marks).toHaveLength(1)
  }
  const wrong = await prosa.get(`/api/admin/records/cat/${ana}?em=${at(1)}`, admin)
  expect(wrong.body.errors).toEqual([{ field: 'kind', message: 'Escolha um registro da lista.' }])
  expect((await read('company', idOf('nobody'), at(890_000), admin)).status).toBe(404)
  for (const screen of Object.values(cases).flatMap((each) => each.screen ?? [])) {
    for (const [em, message] of Object.entries(refusals)) {
      const { body } = await prosa.get(`${screen}?em=${encodeURIComponent(em)}`, ana)
      expect([screen, body.errors]).toEqual([screen, [{ field: 'em', message }]])
    }
    const empty = await prosa.get(`${screen}?em=2020-01-01T00:00:00.000Z`, ana)
    expect(empty.body).toEqual((await prosa.get(screen, idOf('somebody without anything'))).body)
    expect(empty.headers.etag).toBeUndefined()
    const others = await prosa.get(`${screen}?em=${at(890_000)}`, idOf('somebody without anything'))
    expect(others.body).toEqual(empty.body)
  }
})

it('a record of more than 20,000 events is refused before they are decoded', async () => {
  const id = idOf('long connection')
  const { store, codec } = prosa.ports
  const ana = idOf('ana of a long record')
  const event = golden('LineOpened')
  const metadata = { actor: { kind: 'system', id: 'test' } as const, tenant: ana, recordedAt: at(1) }
  for (let count = 0; count <= 20_000; count += 1000) {
    const page = Array.from({ length: 1000 }, (_, index) => {
      const own = idOf(`${id} ${count + index}`)
      return {
        id: own,
        stream: `connection-${id}`,
        event,
        metadata: { ...metadata, causationId: own, correlationId: own },
      }
    })
    await store.append(`connection-${id}`, count === 0 ? 'no_stream' : BigInt(count - 1), await codec.encode(page))
  }
  expect((await read('connection', id, at(890_000), ana)).body).toMatchObject({ type: 'record_too_long' })
})
