import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact, Message, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

const pageSize = 50
const origin = 'http://127.0.0.1:3000'

const problem = (status: number, title: string) =>
  HttpResponse.json({ type: 'refused', title, status, correlationId: 'x' }, { status })

export const someContact = (over: Partial<Contact> & Pick<Contact, 'id'>): Contact => ({
  name: null,
  phone: '5511988776655',
  lastActivity: new Date().toISOString(),
  serviceStatus: 'waiting',
  waitingSince: over.serviceStatus && over.serviceStatus !== 'waiting' ? null : new Date().toISOString(),
  unreadCount: 0,
  lastMessage: null,
  ...over,
})

export const someMessage = (over: Partial<Message> & Pick<Message, 'id' | 'contactId'>): Message => ({
  content: over.id,
  kind: 'text',
  sender: 'contact',
  timestamp: new Date().toISOString(),
  status: over.sender === 'user' ? 'sent' : null,
  failure: null,
  sentElsewhere: false,
  ...over,
})

const someConnection = (status: Connection['status']): Connection => ({
  id: '3f0c2c0e-0d5a-4d57-9f0a-6a5b1a2c3d4e',
  name: 'Loja',
  status,
  statusReason: null,
  statusSince: new Date().toISOString(),
  qrCode: null,
  qrDeadline: null,
  serverTime: new Date().toISOString(),
  phoneNumber: '5511900000000',
  phone: '5511900000000',
  lastActivity: null,
})

interface Sent {
  connectionId: string
  contactId: string
  message: string
  messageId: string
}

interface Scene {
  contacts: Contact[]
  messages?: Message[]
  connected?: boolean
}

/**
 * The server as the browser sees it, answering fetch at the border. Tests change `contacts` and `messages`, set `refuseSend`
 * to make sending fail, and look at what was asked for.
 */
export const chatServer = ({ contacts, messages = [], connected = true }: Scene) => {
  const state = {
    contacts,
    messages,
    connected,
    refuseSend: null as string | null,
    refuseAdd: false,
    sent: [] as Sent[],
    seen: [] as string[],
  }
  const contactOf = (id: unknown) => state.contacts.find((contact) => contact.id === id)
  const count = (status: ServiceStatus) => state.contacts.filter(({ serviceStatus }) => serviceStatus === status).length

  const server = setupServer(
    http.get(`${origin}/api/whatsapp/connections`, () =>
      HttpResponse.json([someConnection(state.connected ? 'connected' : 'disconnected')]),
    ),
    http.get(`${origin}/api/whatsapp/contact-counts`, () =>
      HttpResponse.json({ waiting: count('waiting'), attending: count('attending'), resolved: count('resolved') }),
    ),
    http.get(`${origin}/api/whatsapp/contacts`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      const search = searchParams.get('search')?.toLowerCase() ?? ''
      const from = Number(searchParams.get('cursor') ?? 0)
      const all = state.contacts.filter(
        ({ serviceStatus, name, phone }) =>
          serviceStatus === searchParams.get('status') && `${name} ${phone}`.toLowerCase().includes(search),
      )
      const next = from + pageSize < all.length ? { [cursorHeader]: String(from + pageSize) } : undefined
      return HttpResponse.json(all.slice(from, from + pageSize), { headers: next })
    }),
    http.get(`${origin}/api/whatsapp/contacts/:id`, ({ params }) => {
      const contact = contactOf(params.id)
      return contact ? HttpResponse.json(contact) : problem(404, 'Contato não encontrado.')
    }),
    http.get(`${origin}/api/whatsapp/contacts/:id/messages`, ({ params }) =>
      HttpResponse.json(state.messages.filter(({ contactId }) => contactId === params.id)),
    ),
    http.post(`${origin}/api/whatsapp/contacts/:id/seen`, ({ params }) => {
      state.seen.push(String(params.id))
      const contact = contactOf(params.id)
      if (contact) contact.unreadCount = 0
      return HttpResponse.json({ id: params.id })
    }),
    http.patch(`${origin}/api/whatsapp/contacts/:id/status`, async ({ params, request }) => {
      const { status } = (await request.json()) as { status: ServiceStatus }
      state.contacts = state.contacts.map((contact) =>
        contact.id === params.id ? { ...contact, serviceStatus: status, waitingSince: null } : contact,
      )
      return HttpResponse.json({ id: params.id, serviceStatus: status })
    }),
    http.post(`${origin}/api/whatsapp/contacts`, async ({ request }) => {
      if (state.refuseAdd) return problem(500, 'Falhou.')
      const { phone } = (await request.json()) as { phone: string }
      const added = someContact({ id: 'added', phone })
      state.contacts = [added, ...state.contacts]
      return HttpResponse.json({ id: added.id, phone, serviceStatus: added.serviceStatus }, { status: 201 })
    }),
    http.post(`${origin}/api/whatsapp/send-message`, async ({ request }) => {
      const body = (await request.json()) as Sent
      state.sent.push(body)
      if (state.refuseSend !== null) return problem(503, state.refuseSend)
      const { messageId: id, contactId, connectionId, message: content } = body
      state.messages = [...state.messages, someMessage({ id, contactId, content, sender: 'user', status: 'sent' })]
      return HttpResponse.json({ id, contactId, connectionId, status: 'queued' }, { status: 202 })
    }),
  )
  return { state, server }
}
