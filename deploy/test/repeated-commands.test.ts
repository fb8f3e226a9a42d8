import { starterFlow } from '@prosa/contracts/flows/new-node'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { type Endpoints, endpoints } from '@prosa/contracts/http/endpoints'
import { idempotencyKeyHeader, positionHeader } from '@prosa/contracts/http/problem'
import { categories } from '@prosa/contracts/streams'
import { termsWritten } from '@prosa/contracts/values/terms'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey as newProgramKey } from './key-holder.ts'
import { type Product, startProduct } from './product.ts'
import { sampleBody } from './sample-body.ts'
import type { Reply, Visitor } from './visitor.ts'

let product: Product
let tenant: Visitor
let connectionId: string
let made = 0
/** Headers of the tenant's program. */
let program: Record<string, string>

const shopNumber = '5511900000001'
const newPhone = () => {
  const number = `55119${String(90_000_000 + ++made)}`
  product.whatsapp.addPhone(number, `Pessoa ${made}`)
  return number
}

interface Wish {
  visitor?: Visitor
  path?: string
  body?: unknown
  headers?: Record<string, string>
}

const newContact = async () => {
  const { id } = await tenant.post<{ id: string }>('/api/whatsapp/contacts', { phone: newPhone() })
  return id
}
const newConnection = async () => {
  const { id } = await tenant.post<{ id: string }>('/api/whatsapp/connections', { name: 'Outra' })
  return id
}
const newWriter = async () => {
  const number = newPhone()
  await product.whatsapp.phones.get(number)?.sendText(shopNumber, 'bom dia')
  const written = async () => (await tenant.contacts('waiting')).find(({ phone }) => phone === number)?.id
  return until(written)
}
const newOwnMessage = async () => {
  const contactId = await newContact()
  const body = { connectionId, contactId, message: 'bom dia' }
  const { id } = await tenant.post<{ id: string }>('/api/whatsapp/send-message', body)
  return `/api/whatsapp/contacts/${contactId}/messages/${id}`
}
const newQuickReply = async () => {
  const reply = { shortcut: `atalho${++made}`, content: 'Bom dia!' }
  return (await tenant.post<{ id: string }>('/api/quick-replies', reply)).id
}
const newHours = () => {
  const open = [{ from: '08:00', to: '18:00' }]
  const holidays = [{ date: '2026-12-25', name: `Feriado ${++made}`, intervals: [] }]
  return { timeZone: 'America/Sao_Paulo', week: Array.from({ length: 7 }, () => open), holidays }
}
const newLabel = async () => {
  const label = { name: `Etiqueta ${++made}`, colour: 'green' }
  return (await tenant.post<{ id: string }>('/api/labels', label)).id
}
const newField = async () => {
  // A tenant has thirty at most.
  for (const { id } of await tenant.get<{ id: string }[]>('/api/contact-fields'))
    await tenant.ask('DELETE', `/api/contact-fields/${id}`)
  const field = { name: `Campo ${++made}`, type: 'text' }
  return (await tenant.post<{ id: string }>('/api/contact-fields', field)).id
}
const newKey = async () =>
  (await tenant.post<{ id: string }>('/api/keys', { name: 'Chave', scopes: ['streams'], expiresInDays: 7 })).id
const webhookTo = (address: string) => ({
  body: { name: `Webhook ${++made}`, address, types: ['prosa.contacts.message-received.v1'] },
})
/** In place of the one before: an account has five at most. */
const newWebhook = async () => {
  await withoutWebhooks()
  return (await tenant.post<{ id: string }>('/api/webhooks', webhookTo('http://127.0.0.1:9/prosa').body)).id
}
const withoutWebhooks = async () => {
  const { body } = await tenant.ask('GET', '/api/webhooks')
  for (const { id } of body as { id: string }[]) await tenant.ask('DELETE', `/api/webhooks/${id}`)
}
const newFolder = async () => (await tenant.post<{ id: string }>('/api/flow-folders', { name: `Pasta ${++made}` })).id
const newFlow = async (folderId: string | null = null) =>
  (await tenant.post<{ id: string }>('/api/flows', { name: `Fluxo ${++made}`, folderId })).id
const newPublishedFlow = async () => {
  const id = await newFlow()
  await tenant.post(`/api/flows/${id}/publish`, { basedOn: 0 })
  return id
}
const newSecret = async () => {
  const name = `chave_${++made}`
  await tenant.ask('PUT', `/api/flow-secrets/${name}`, { value: 'x' })
  return name
}
const newDraft = () => {
  const { nodes, ...document } = starterFlow()
  return { ...document, nodes: nodes.map((node) => ({ ...node, position: { x: ++made, y: 0 } })) }
}
const credentials = ({ email, password }: Visitor) => ({ email, password })
const resetToken = async (person: Visitor) => {
  const { resetLink } = await person.post<{ resetLink: string }>('/api/auth/forgot-password', { email: person.email })
  return new URL(resetLink).searchParams.get('token')
}

const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Requests that succeed and record a fact, where the record of the endpoint does not tell enough. */
const wishes: Partial<Record<keyof Endpoints, () => Promise<Wish>>> = {
  'POST /api/auth/register': async () => {
    const visitor = product.visitor()
    return { visitor, body: { firstName: 'Rita', lastName: 'Lima', ...credentials(visitor) } }
  },
  'POST /api/auth/login': async () => {
    const { email, password } = await product.visitor().register()
    return { visitor: product.visitor(), body: { email, password } }
  },
  'POST /api/auth/logout': async () => ({ visitor: await product.visitor().register() }),
  'POST /api/auth/forgot-password': async () => {
    const { email } = await product.visitor().register()
    return { visitor: product.visitor(), body: { email } }
  },
  'POST /api/auth/reset-password': async () => {
    const token = await resetToken(await product.visitor().register())
    return { visitor: product.visitor(), body: { token, password: 'outra senha comprida' } }
  },
  'POST /api/auth/accept-terms': async () => ({
    visitor: await product.visitor().register({ acceptedTerms: null }),
    body: { version: termsWritten },
  }),
  'POST /api/auth/send-confirmation': async () => ({ visitor: await product.visitor().register() }),
  'POST /api/auth/confirm-email': async () => {
    const person = await product.visitor().register()
    const { confirmationLink } = await person.post<{ confirmationLink: string }>('/api/auth/send-confirmation')
    return { visitor: product.visitor(), body: { token: new URL(confirmationLink).searchParams.get('token') } }
  },
  'POST /api/auth/erase-account': async () => {
    const visitor = await product.visitor().register()
    return { visitor, body: { password: visitor.password } }
  },
  'PUT /api/auth/password': async () => {
    const visitor = await product.visitor().register()
    return { visitor, body: { currentPassword: visitor.password, newPassword: 'outra senha comprida' } }
  },
  'PUT /api/auth/user': async () => {
    const visitor = await product.visitor().register()
    const profile = { firstName: 'Rita', lastName: 'Lima', email: product.visitor().email }
    return { visitor, body: { ...profile, currentPassword: visitor.password } }
  },
  'PUT /api/auth/photo': async () => ({ visitor: await product.visitor().register(), body: onePixel }),
  'DELETE /api/auth/photo': async () => {
    const visitor = await product.visitor().register()
    await visitor.ask('PUT', '/api/auth/photo', onePixel)
    return { visitor }
  },
  'POST /api/whatsapp/contacts': async () => ({ body: { phone: newPhone() } }),
  'PATCH /api/whatsapp/contacts/:id/status': async () => ({
    path: `/api/whatsapp/contacts/${await newContact()}/status`,
    body: { status: 'attending' },
  }),
  'POST /api/whatsapp/contacts/:id/reopen': async () => {
    const path = `/api/whatsapp/contacts/${await newContact()}`
    for (const status of ['attending', 'resolved']) await tenant.ask('PATCH', `${path}/status`, { status })
    return { path: `${path}/reopen` }
  },
  'DELETE /api/whatsapp/contacts/:id/notes/:noteId': async () => {
    const notes = `/api/whatsapp/contacts/${await newContact()}/notes`
    const { id } = await tenant.post<{ id: string }>(notes, { text: 'Prefere receber à tarde' })
    return { path: `${notes}/${id}` }
  },
  'POST /api/whatsapp/contacts/:id/line': async () => ({
    path: `/api/whatsapp/contacts/${await newContact()}/line`,
    body: { connectionId },
  }),
  'POST /api/whatsapp/contacts/:id/flow-runs': async () => {
    const [conversation = ''] = (await newOwnMessage()).split('/messages/')
    // Writing accepted it.
    await tenant.ask('PATCH', `${conversation}/status`, { status: 'resolved' })
    return { path: `${conversation}/flow-runs`, body: { flowId: await newPublishedFlow() } }
  },
  'POST /api/whatsapp/contacts/:id/bot-pause': async () => ({
    path: `/api/whatsapp/contacts/${await newContact()}/bot-pause`,
    body: { hours: 4 },
  }),
  'DELETE /api/whatsapp/contacts/:id/bot-pause': async () => {
    const path = `/api/whatsapp/contacts/${await newContact()}/bot-pause`
    await tenant.post(path, { hours: null })
    return { path }
  },
  'POST /api/whatsapp/contacts/:id/seen': async () => ({ path: `/api/whatsapp/contacts/${await newWriter()}/seen` }),
  'POST /api/whatsapp/contacts/:id/messages/:messageId/reaction': async () => {
    const contactId = await newWriter()
    const message = await until(async () => (await tenant.messages(contactId))[0])
    return {
      path: `/api/whatsapp/contacts/${contactId}/messages/${message.id}/reaction`,
      body: { connectionId, emoji: '👍' },
    }
  },
  'PATCH /api/whatsapp/contacts/:id/messages/:messageId': async () => ({
    path: await newOwnMessage(),
    body: { message: 'boa tarde' },
  }),
  'DELETE /api/whatsapp/contacts/:id/messages/:messageId': async () => ({ path: await newOwnMessage() }),
  // Of an existing name it returns the session.
  'POST /api/whatsapp/quick-session': async () => ({ body: { name: `Rápida ${++made}` } }),
  'POST /api/whatsapp/media': async () => ({ body: Buffer.from(`arquivo ${++made}`) }),
  'POST /api/quick-replies': async () => ({ body: { shortcut: `atalho${++made}`, content: 'Bom dia!' } }),
  'PATCH /api/quick-replies/:id': async () => ({
    path: `/api/quick-replies/${await newQuickReply()}`,
    body: { isActive: false },
  }),
  'PUT /api/company': async () => ({
    body: { name: `Padaria ${++made}`, email: '', phone: '', website: '', address: '' },
  }),
  'PATCH /api/company/choices': async () => {
    const { notifications } = await tenant.get<{ notifications: boolean }>('/api/company')
    return { body: { notifications: !notifications } }
  },
  'PUT /api/opening-hours': async () => ({ body: newHours() }),
  'PATCH /api/opening-hours/reply': async () => ({ body: { text: `Voltamos às ${++made}.` } }),
  'POST /api/exports': async () => ({ body: { contactId: await newContact() } }),
  'POST /api/contact-fields': async () => ({ body: { name: `Campo ${++made}`, type: 'text' } }),
  'PATCH /api/contact-fields/:id': async () => ({
    path: `/api/contact-fields/${await newField()}`,
    body: { name: `Outro campo ${++made}` },
  }),
  'PUT /api/whatsapp/contacts/:id/fields/:fieldId': async () => ({
    path: `/api/whatsapp/contacts/${await newContact()}/fields/${await newField()}`,
    body: { value: 'Natal' },
  }),
  'POST /api/labels': async () => ({ body: { name: `Etiqueta ${++made}`, colour: 'green' } }),
  'POST /api/keys': async () => ({ body: { name: `Chave ${++made}`, scopes: ['streams'], expiresInDays: 7 } }),
  'POST /api/webhooks': async () => {
    await withoutWebhooks()
    return webhookTo('http://127.0.0.1:9/prosa')
  },
  'PUT /api/webhooks/:id': async () => ({
    path: `/api/webhooks/${await newWebhook()}`,
    ...webhookTo('http://127.0.0.1:9/outro'),
  }),
  'POST /api/webhooks/:id/resume': async () => {
    const path = `/api/webhooks/${await newWebhook()}`
    await tenant.post(`${path}/pause`)
    return { path: `${path}/resume` }
  },
  'POST /api/webhooks/:id/repeat': async () => ({
    path: `/api/webhooks/${await newWebhook()}/repeat`,
    body: { eventId: null },
  }),
  'PATCH /api/labels/:id': async () => ({
    path: `/api/labels/${await newLabel()}`,
    body: { name: `Outra ${++made}`, colour: 'pink' },
  }),
  'POST /api/labels/:id/contacts': async () => ({
    path: `/api/labels/${await newLabel()}/contacts`,
    body: { contactIds: [await newContact(), await newContact()], isLabelled: true },
  }),
  'POST /api/flow-folders/:id/duplicate': async () => {
    const folderId = await newFolder()
    await newFlow(folderId)
    return { path: `/api/flow-folders/${folderId}/duplicate` }
  },
  'DELETE /api/flow-folders/:id': async () => {
    const folderId = await newFolder()
    await newFlow(folderId)
    return { path: `/api/flow-folders/${folderId}` }
  },
  'PATCH /api/flows/:id': async () => ({ path: `/api/flows/${await newFlow()}`, body: { name: `Outro ${++made}` } }),
  'PUT /api/flows/:id/draft': async () => ({
    path: `/api/flows/${await newFlow()}/draft`,
    body: { document: newDraft(), basedOn: 0 },
  }),
  'PUT /api/flows/:id/on': async () => ({
    path: `/api/flows/${await newPublishedFlow()}/on`,
    body: { isOn: false },
  }),
  'POST /api/flows/:id/versions/:version/restore': async () => {
    const path = `/api/flows/${await newPublishedFlow()}`
    await tenant.ask('PUT', `${path}/draft`, { document: newDraft(), basedOn: 0 })
    return { path: `${path}/versions/1/restore`, body: { basedOn: 1 } }
  },
  'PUT /api/default-flow': async () => ({ body: { flowId: await newPublishedFlow() } }),
  'PUT /api/flow-order': async () => ({ body: { flowIds: [await newPublishedFlow()] } }),
  'POST /api/v1/contacts': async () => ({ headers: program, body: { phone: newPhone() } }),
  'POST /api/v1/messages': async () => ({
    headers: program,
    body: { phone: newPhone(), text: 'bom dia', accept: true },
  }),
  'POST /api/v1/flows/:id/runs': async () => ({
    headers: program,
    path: `/api/v1/flows/${await newPublishedFlow()}/runs`,
    body: { contactId: await newContact(), connectionId },
  }),
  'POST /api/whatsapp/send-message': async () => ({
    body: { connectionId, contactId: await newContact(), message: 'bom dia' },
  }),
}

/** Covered by the tests of their services. */
const elsewhere: readonly (keyof Endpoints)[] = [
  // The fact comes later, with WhatsApp's answer.
  'POST /api/whatsapp/connections/:id/pairing-code',
  'POST /api/whatsapp/media/:id/retry',
  'POST /api/flow-runs/:id/stop',
  // `robots-in-chats.test.ts` of the contacts service repeats it.
  'POST /api/whatsapp/contacts/:id/not-a-robot',
  'POST /api/whatsapp/contacts/:id/separate',
]

/** What a command changes, by the path before its id. */
const makers: Readonly<Record<string, () => Promise<string>>> = {
  '/api/whatsapp/connections': () => newConnection(),
  '/api/whatsapp/quick-session': () => newConnection(),
  '/api/whatsapp/session': () => newConnection(),
  '/api/whatsapp/contacts': () => newContact(),
  '/api/quick-replies': () => newQuickReply(),
  '/api/keys': () => newKey(),
  '/api/webhooks': () => newWebhook(),
  '/api/labels': () => newLabel(),
  '/api/contact-fields': () => newField(),
  '/api/flow-folders': () => newFolder(),
  '/api/flows': () => newFlow(),
  '/api/flow-secrets': () => newSecret(),
}

const wishOf =
  ({ path, body }: Endpoint) =>
  async (): Promise<Wish> => {
    const [prefix = '', name, ...rest] = path.split(/\/:(\w+)/)
    const make = makers[prefix]
    if (name !== undefined && (!make || rest.length > 1)) throw new Error(`nothing is made for ${path}`)
    const filled = make && name !== undefined ? `${prefix}/${await make()}${rest.join('')}` : path
    return { path: filled, ...(body && { body: sampleBody(body) }) }
  }

const listed: readonly Endpoint[] = endpoints

/** Those for administrators are repeated in the tests of their services. */
const commands = Object.fromEntries(
  listed.flatMap((each) => {
    const name = `${each.method} ${each.path}` as keyof Endpoints
    const isLeftOut = each.method === 'GET' || !each.path.startsWith('/api/') || each.role || each.changesNothing
    return isLeftOut || elsewhere.includes(name) ? [] : [[name, wishes[name] ?? wishOf(each)] as const]
  }),
)

const log = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for await (const batch of product.ports.store.readAll(beginning, { categories: Object.keys(categories) }))
    events.push(...batch.events)
  return events
}

const traces = async (replies: readonly Reply[]) => {
  const events = await log()
  const ids = events.map(({ stream, id }) => `${stream} ${id}`)
  return {
    byReply: replies.map(({ headers }) => {
      const cause = headers.get('x-correlation-id')
      return events.filter(({ metadata }) => metadata.causationId === cause).length
    }),
    doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
  }
}

const send = (name: string, { visitor = tenant, path, body, headers }: Wish, key: string) => {
  const [method = '', url = ''] = name.split(' ')
  return visitor.ask(method, path ?? url, body, { ...headers, [idempotencyKeyHeader]: key })
}

const answered = ({ status, body }: Reply) => ({ status, body })

beforeAll(async () => {
  product = await startProduct()
  tenant = await product.visitor().register()
  program = { authorization: `Bearer ${(await newProgramKey(tenant)).key}` }
  connectionId = (await tenant.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))).id
}, 60_000)
afterAll(() => product?.stop())

describe('a repeated command', () => {
  it('is tried wherever a request is made for it', () => {
    expect(Object.keys(wishes).filter((name) => !Object.hasOwn(commands, name))).toEqual([])
  })

  it.each(Object.entries(commands))(
    '%s: changes nothing the second time and is answered the same',
    async (name, wish) => {
      const wished = await wish()
      const first = await send(name, wished, `twice ${name}`)
      const second = await send(name, wished, `twice ${name}`)
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
      expect(answered(second)).toEqual(answered(first))
      const { byReply, doubled } = await traces([first, second])
      expect(byReply[0]).toBeGreaterThan(0)
      expect(byReply[1]).toBe(0)
      expect(doubled).toEqual([])
    },
  )

  const atOnce = Object.entries(commands).filter((_, index) => index % shortOrLong(3, 1) === 0)
  it.each(atOnce)('%s: is carried out once when it comes twice at once', async (name, wish) => {
    const wished = await wish()
    const replies = await Promise.all([1, 2].map(() => send(name, wished, `at once ${name}`)))
    const [first, second] = replies
    if (!first || !second) throw new Error('two requests have two replies')
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
    expect(answered(second)).toEqual(answered(first))
    const { byReply, doubled } = await traces(replies)
    expect(byReply.toSorted()[0]).toBe(0)
    expect(byReply.toSorted()[1]).toBeGreaterThan(0)
    expect(doubled).toEqual([])
  })

  /** `fields` of the reply follow from the command; `meanwhile` changes the stream, so that a second decision would differ. */
  const ofSeveralEvents: Record<
    string,
    { fields: string[]; meanwhile: (visitor: Visitor, id: string) => Promise<unknown> }
  > = {
    'POST /api/whatsapp/connections': {
      fields: ['id', 'status', 'qrDeadline'],
      meanwhile: (visitor, id) => visitor.post(`/api/whatsapp/connections/${id}/disconnect`),
    },
    'POST /api/whatsapp/quick-session': {
      fields: ['id', 'name', 'status'],
      meanwhile: (visitor, id) => visitor.post(`/api/whatsapp/connections/${id}/disconnect`),
    },
    'PUT /api/auth/user': {
      fields: ['id'],
      meanwhile: (visitor) => {
        const { email, password: currentPassword } = visitor
        return visitor.ask('PUT', '/api/auth/user', { firstName: 'Marina', lastName: 'Alves', email, currentPassword })
      },
    },
  }

  it.each(Object.entries(ofSeveralEvents))(
    '%s: is found in the log with all its events when the reply was lost, whatever has happened since',
    async (name, { fields, meanwhile }) => {
      const wished = await commands[name]?.()
      const first = await send(name, wished ?? {}, `lost ${name}`)
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
      const { id } = first.body as { id: string }
      await meanwhile(wished?.visitor ?? tenant, id)
      // As if the process ended between append and reply.
      await product.ports.pool.query('update idempotent_request set reply = null, claimed_until = null')
      const second = await send(name, wished ?? {}, `lost ${name}`)
      const { byReply, doubled } = await traces([first, second])
      expect(byReply[0]).toBeGreaterThan(1)
      expect(byReply[1]).toBe(0)
      expect(doubled).toEqual([])
      const answered = ({ status, headers, body }: Reply) => [
        status,
        headers.get(positionHeader),
        fields.map((field) => (body as Record<string, unknown>)[field]),
      ]
      expect(answered(second)).toEqual(answered(first))
    },
  )
})
