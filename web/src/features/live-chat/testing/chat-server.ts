import type { Connection } from '@prosa/contracts/http/connections'
import type { ContactField, ContactFieldValue, ContactNote } from '@prosa/contracts/http/contact-details'
import type { WhyAnswer } from '@prosa/contracts/http/history'
import type { Label } from '@prosa/contracts/http/labels'
import type { Contact, Message, MessageFound, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { refusals } from '@prosa/contracts/refusals'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { type MessageState, messageRoutes } from './message-routes.ts'

const pageSize = 50
const foundPageSize = 20
const origin = 'http://127.0.0.1:3000'

const problem = (status: number, title: string, type = 'refused') =>
  HttpResponse.json({ type, title, status, correlationId: 'x' }, { status })

export const someContact = (over: Partial<Contact> & Pick<Contact, 'id'>): Contact => ({
  name: null,
  whatsappName: over.name ?? null,
  phone: '5511988776655',
  lastActivity: new Date().toISOString(),
  serviceStatus: 'waiting',
  waitingSince: over.serviceStatus && over.serviceStatus !== 'waiting' ? null : new Date().toISOString(),
  botSince: null,
  personAskedAt: null,
  botPause: null,
  unreadCount: 0,
  firstUnreadId: null,
  lastMessage: null,
  connectionId: null,
  labels: [],
  merged: [],
  numberMoved: null,
  suspectedRobot: null,
  ...over,
})

/** Marks in the excerpt surround the search words. */
export const someFound = (messageId: string, excerpt: string, over: Partial<MessageFound> = {}): MessageFound => ({
  messageId,
  contactId: 'thiago',
  contactName: 'Thiago',
  contactPhone: '5521988776644',
  sender: 'contact',
  timestamp: '2026-11-20T12:00:00.000Z',
  excerpt,
  ...over,
})

const someConnection = (status: Connection['status'], line: Connection['line']): Connection => ({
  id: '3f0c2c0e-0d5a-4d57-9f0a-6a5b1a2c3d4e',
  name: 'Loja',
  status,
  statusReason: null,
  line,
  statusSince: new Date().toISOString(),
  qrCode: null,
  qrDeadline: null,
  pairingCode: null,
  serverTime: new Date().toISOString(),
  phoneNumber: '5511900000000',
  phone: '5511900000000',
  lastActivity: null,
  network: 'whatsapp',
})

/** One of several numbers, connected by default. */
export const someNumber = (place: number, over: Partial<Connection> = {}): Connection => ({
  ...someConnection('connected', 'open'),
  id: `5b1f0c2e-0d5a-4d57-9f0a-6a5b1a2c000${place}`,
  phoneNumber: `551190000000${place}`,
  phone: `551190000000${place}`,
  ...over,
})

interface Scene {
  contacts: Contact[]
  numbers?: Connection[]
  messages?: Message[]
  quickReplies?: QuickReply[]
  labels?: Label[]
  connected?: boolean
}

const newState = ({ contacts, numbers, messages = [], quickReplies = [], labels = [], connected = true }: Scene) => ({
  contacts,
  messages,
  quickReplies,
  labels,
  /** Contacts that refuse every label. */
  refuseLabels: [] as string[],
  found: [] as MessageFound[],
  numbers,
  linesChosen: [] as { contactId: string; connectionId: string }[],
  refuseLine: null as string | null,
  line: (connected ? 'open' : 'unused') as Connection['line'],
  refuseSend: null as string | null,
  refuseSendAs: 'refused',
  refuseFile: null as string | null,
  holdFile: null as Promise<void> | null,
  holdStatus: null as Promise<void> | null,
  refuseReaction: false,
  holdReaction: null as Promise<void> | null,
  refuseAdd: false,
  sent: [] as MessageState['sent'],
  files: [] as number[],
  reactions: [] as MessageState['reactions'],
  refuseCorrection: null as string | null,
  corrections: [] as MessageState['corrections'],
  retried: [] as string[],
  separated: [] as string[],
  cleared: [] as string[],
  refuseClearing: false,
  seen: [] as string[],
  /** Contact, value and part. */
  asksWhy: [] as unknown[],
  notes: [] as ContactNote[],
  refuseNote: false,
  fields: [] as ContactField[],
  fieldValues: [] as ContactFieldValue[],
  /** Contacts of requested copies, which are refused. */
  exported: [] as unknown[],
})

type State = ReturnType<typeof newState>

// A merged contact resolves to its target.
const contactOf = (state: State, id: unknown) =>
  state.contacts.find((contact) => contact.id === id || contact.merged.some((other) => other.id === id))

/** With the oldest unseen message, unless the test sets it. */
const shown = (state: State, contact: Contact): Contact => {
  const theirs = state.messages.filter(({ contactId, sender }) => contactId === contact.id && sender === 'contact')
  const first = contact.unreadCount > 0 ? theirs.slice(-contact.unreadCount)[0]?.id : undefined
  return { ...contact, firstUnreadId: contact.firstUnreadId ?? first ?? null }
}

interface ContactsAsked {
  search?: string
  cursor?: string
  status?: string
  label?: string
  connectionId?: string
}

const listRoutes = (state: State) => {
  const isOver = (line: string | null) => (contact: Contact) => line === null || contact.connectionId === line
  const queueOf = ({ serviceStatus, botSince }: Contact) =>
    serviceStatus === 'waiting' && botSince !== null ? 'bot' : serviceStatus
  const contactPage = ({ search = '', cursor = '0', status, label, connectionId }: ContactsAsked) => {
    const from = Number(cursor)
    const all = state.contacts
      .filter(isOver(connectionId ?? null))
      .filter(
        (contact) =>
          (label === undefined || contact.labels.includes(label)) &&
          (status === undefined || queueOf(contact) === status) &&
          `${contact.name} ${contact.phone}`.toLowerCase().includes(search.toLowerCase()),
      )
    return {
      items: all.slice(from, from + pageSize).map((contact) => shown(state, contact)),
      nextCursor: from + pageSize < all.length ? String(from + pageSize) : null,
    }
  }
  return [
    http.get(`${origin}/api/whatsapp/connections`, () =>
      HttpResponse.json(
        state.numbers ?? [someConnection(state.line === 'open' ? 'connected' : 'disconnected', state.line)],
      ),
    ),
    http.get(`${origin}/api/whatsapp/contact-counts`, ({ request }) => {
      const line = new URL(request.url).searchParams.get('connectionId')
      const counts = { waiting: 0, asked: 0, bot: 0, attending: 0, resolved: 0 }
      for (const contact of state.contacts.filter(isOver(line))) {
        counts[queueOf(contact)]++
        if (contact.personAskedAt !== null && queueOf(contact) === 'waiting') counts.asked++
      }
      return HttpResponse.json(counts)
    }),
    http.get(`${origin}/api/whatsapp/contacts`, ({ request }) => {
      const { items, nextCursor } = contactPage(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json(items, { headers: nextCursor === null ? undefined : { [cursorHeader]: nextCursor } })
    }),
    http.post(`${origin}/api/whatsapp/contacts/search`, async ({ request }) =>
      HttpResponse.json(contactPage((await request.json()) as ContactsAsked)),
    ),
    http.get(`${origin}/api/whatsapp/longest-waiting`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      const [except, label] = [searchParams.get('except'), searchParams.get('label')]
      const [contact = null] = state.contacts
        .filter((contact) => queueOf(contact) === 'waiting' && contact.id !== except)
        .filter(({ labels }) => label === null || labels.includes(label))
        .filter(isOver(searchParams.get('connectionId')))
        .sort((one, other) => String(one.waitingSince).localeCompare(String(other.waitingSince)))
      return HttpResponse.json({ contact })
    }),
    http.post(`${origin}/api/whatsapp/search`, async ({ request }) => {
      const asked = (await request.json()) as { q: string; contactId?: string; connectionId?: string; cursor?: string }
      const { contactId = null, connectionId: line = null, cursor = '0' } = asked
      const from = Number(cursor)
      const all = state.found.filter(
        (found) =>
          (contactId === null || found.contactId === contactId) &&
          (line === null || state.messages.find(({ id }) => id === found.messageId)?.connectionId === line),
      )
      const nextCursor = from + foundPageSize < all.length ? String(from + foundPageSize) : null
      return HttpResponse.json({ items: all.slice(from, from + foundPageSize), nextCursor })
    }),
    http.get(`${origin}/api/quick-replies`, () => HttpResponse.json(state.quickReplies)),
    http.post(`${origin}/api/whatsapp/contacts`, async ({ request }) => {
      if (state.refuseAdd) return problem(500, 'Falhou.')
      const { phone } = (await request.json()) as { phone: string }
      const added = someContact({ id: 'added', phone })
      state.contacts = [added, ...state.contacts]
      return HttpResponse.json({ id: added.id, phone, serviceStatus: added.serviceStatus }, { status: 201 })
    }),
  ]
}

const entry: WhyAnswer['entry'] = {
  id: 'e',
  type: 'ConversationAccepted',
  at: '2027-01-12T15:00:00.000Z',
  depth: 0,
  icon: 'conversation',
  text: 'Sol Dias aceitou a conversa',
  actor: { kind: 'user', id: null, name: 'Sol Dias' },
  reason: null,
  rule: 'quem aceita uma conversa que aguarda passa a atendê-la',
  differences: [],
  records: [],
}
const whyAnswer = (field: string): WhyAnswer =>
  field === 'tick'
    ? { label: 'Tique', before: 'enviada', after: 'lida', entry, causes: [{ text: 'um aviso do WhatsApp', at: null }] }
    : { label: 'Quem atende', before: null, after: 'Sol Dias', entry, causes: [{ text: 'um pedido seu', at: null }] }

const contactRoutes = (state: State) => [
  http.get(`${origin}/api/history/contact/:id/why/:field`, ({ params, request }) => {
    state.asksWhy.push([params.id, params.field, new URL(request.url).searchParams.get('part')])
    return HttpResponse.json(whyAnswer(String(params.field)))
  }),
  http.get(`${origin}/api/whatsapp/contacts/:id`, ({ params }) => {
    const contact = contactOf(state, params.id)
    return contact ? HttpResponse.json(shown(state, contact)) : problem(404, 'Contato não encontrado.')
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/seen`, ({ params }) => {
    state.seen.push(String(params.id))
    const contact = contactOf(state, params.id)
    if (contact) Object.assign(contact, { unreadCount: 0, firstUnreadId: null })
    return HttpResponse.json({ id: params.id })
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/line`, async ({ params, request }) => {
    if (state.refuseLine !== null) return problem(409, state.refuseLine)
    const { connectionId } = (await request.json()) as { connectionId: string }
    const contactId = String(params.id)
    state.linesChosen.push({ contactId, connectionId })
    state.contacts = state.contacts.map((contact) =>
      contact.id === contactId ? { ...contact, connectionId } : contact,
    )
    return HttpResponse.json({ contactId, connectionId })
  }),
  http.patch(`${origin}/api/whatsapp/contacts/:id/status`, async ({ params, request }) => {
    const { status } = (await request.json()) as { status: ServiceStatus }
    await state.holdStatus
    state.contacts = state.contacts.map((contact) =>
      contact.id === params.id ? { ...contact, serviceStatus: status, waitingSince: null } : contact,
    )
    return HttpResponse.json({ id: params.id, serviceStatus: status })
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/reopen`, ({ params }) => {
    state.contacts = state.contacts.map((contact) =>
      contact.id === params.id ? { ...contact, serviceStatus: 'attending', waitingSince: null } : contact,
    )
    return HttpResponse.json({ id: params.id, serviceStatus: 'attending' })
  }),
  http.put(`${origin}/api/whatsapp/contacts/:id/name`, async ({ params, request }) => {
    const { name } = (await request.json()) as { name: string }
    state.contacts = state.contacts.map((contact) =>
      contact.id === params.id ? { ...contact, name: name || contact.whatsappName } : contact,
    )
    return HttpResponse.json({ id: params.id, name: name || null })
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/separate`, async ({ params, request }) => {
    const { contactId } = (await request.json()) as { contactId: string }
    state.separated.push(contactId)
    state.contacts = state.contacts.map((contact) =>
      contact.id === params.id ? { ...contact, merged: contact.merged.filter(({ id }) => id !== contactId) } : contact,
    )
    return HttpResponse.json({ id: params.id, contactId })
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/not-a-robot`, ({ params }) => {
    if (state.refuseClearing) return HttpResponse.json({ type: 'unavailable', title: 'Indisponível.' }, { status: 503 })
    state.cleared.push(String(params.id))
    state.contacts = state.contacts.map((contact) =>
      contact.id === params.id ? { ...contact, suspectedRobot: null } : contact,
    )
    return HttpResponse.json({ id: params.id })
  }),
  http.delete(`${origin}/api/whatsapp/contacts/:id`, ({ params }) => {
    state.contacts = state.contacts.filter(({ id }) => id !== params.id)
    return HttpResponse.json({ id: params.id })
  }),
]

const labelRoutes = (state: State) => [
  http.get(`${origin}/api/labels`, () => HttpResponse.json(state.labels)),
  http.post(`${origin}/api/labels`, async ({ request }) => {
    const asked = (await request.json()) as Pick<Label, 'name' | 'colour'>
    if (state.labels.some(({ name }) => name.toLowerCase() === asked.name.toLowerCase()))
      return problem(409, refusals.label_name_taken.title, 'label_name_taken')
    const label = { id: crypto.randomUUID(), ...asked }
    state.labels = [...state.labels, label]
    return HttpResponse.json(label, { status: 201 })
  }),
  http.get(`${origin}/api/contact-fields`, () => HttpResponse.json(state.fields)),
  http.get(`${origin}/api/whatsapp/contacts/:id/fields`, () => HttpResponse.json(state.fieldValues)),
  http.put(`${origin}/api/whatsapp/contacts/:id/fields/:fieldId`, async ({ params, request }) => {
    const { value } = (await request.json()) as { value: string }
    const fieldId = String(params.fieldId)
    if (value === 'errado') return problem(422, refusals.contact_field_value_invalid.title)
    const others = state.fieldValues.filter((each) => each.fieldId !== fieldId)
    state.fieldValues = value === '' ? others : [...others, { fieldId, value }]
    return HttpResponse.json({ id: fieldId, value: value || null })
  }),
  http.post(`${origin}/api/labels/:id/contacts`, async ({ params, request }) => {
    const id = String(params.id)
    const { contactIds, isLabelled } = (await request.json()) as { contactIds: string[]; isLabelled: boolean }
    const isRefused = (contactId: string) => state.refuseLabels.includes(contactId)
    state.contacts = state.contacts.map((contact) => {
      if (!contactIds.includes(contact.id) || isRefused(contact.id)) return contact
      const others = contact.labels.filter((each) => each !== id)
      return { ...contact, labels: isLabelled ? [...others, id] : others }
    })
    const { title } = refusals.too_many_labels_on_contact
    const refused = contactIds
      .filter(isRefused)
      .map((contactId) => ({ contactId, type: 'too_many_labels_on_contact', title }))
    return HttpResponse.json({ id, isLabelled, refused })
  }),
]

const noteRoutes = (state: State) => [
  http.get(`${origin}/api/whatsapp/contacts/:id/notes`, () => HttpResponse.json(state.notes)),
  http.post(`${origin}/api/exports`, async ({ request }) => {
    state.exported.push(await request.json())
    return problem(429, refusals.export_running.title)
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/notes`, async ({ request }) => {
    const { text } = (await request.json()) as { text: string }
    if (state.refuseNote) return problem(409, refusals.too_many_notes.title)
    const id = `note-${state.notes.length + 1}`
    state.notes = [{ id, text, writtenAt: new Date().toISOString(), author: 'Marina Alves' }, ...state.notes]
    return HttpResponse.json({ id }, { status: 201 })
  }),
  http.delete(`${origin}/api/whatsapp/contacts/:id/notes/:noteId`, ({ params }) => {
    state.notes = state.notes.filter(({ id }) => id !== params.noteId)
    return HttpResponse.json({ id: params.noteId })
  }),
]

/** Tests change `contacts` and `messages`, set `refuse…`, and read the recorded requests. */
export const chatServer = (scene: Scene) => {
  const state = newState(scene)
  const server = setupServer(
    ...listRoutes(state),
    ...contactRoutes(state),
    ...messageRoutes(state),
    ...noteRoutes(state),
    ...labelRoutes(state),
  )
  return { state, server }
}
