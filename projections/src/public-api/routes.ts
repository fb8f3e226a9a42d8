import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { type PublicContact, type PublicMessage, publicEndpoints } from '@prosa/contracts/http/public/public-api'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import type { FastifyPluginAsync } from 'fastify'
import { findMessages } from '../chat-messages/queries.ts'
import { readConnections } from '../connections/queries.ts'
import { requireContact } from '../contact-list/require-contact.ts'
import { contactPage } from '../contact-list/routes.ts'
import { logCursors } from '../cursor.ts'
import { findFlows } from '../flows/queries.ts'
import { readYourWrites } from '../reading/read-your-writes.ts'

const messagesPerPage = 100

const shownContact = (contact: Contact): PublicContact => ({
  id: contact.id,
  name: contact.name,
  phone: contact.phone,
  status: contact.serviceStatus,
  connectionId: contact.connectionId,
  lastActivityAt: contact.lastActivity,
  waitingSince: contact.waitingSince,
})

const authorOf = ({ sender, sentElsewhere, isAutomatic, isFlow, isProgram }: Message): PublicMessage['author'] => {
  if (sender === 'contact') return 'contact'
  if (sentElsewhere) return 'phone'
  if (isFlow) return 'flow'
  if (isProgram) return 'program'
  return isAutomatic ? 'rule' : 'attendant'
}

const shownMessage = (message: Message): PublicMessage => ({
  id: message.id,
  contactId: message.contactId,
  connectionId: message.connectionId,
  direction: message.sender === 'contact' ? 'in' : 'out',
  author: authorOf(message),
  kind: message.kind,
  text: message.content,
  sentAt: message.timestamp,
  status: message.status,
  failure: message.failure,
  quotedId: message.quoted?.id ?? null,
  editedAt: message.editedAt,
})

/** Of the public API, by key, from the read models of the screens (docs/decisions/0078-public-api.md). */
export const publicApiRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels } = ports
    const keys = apiKeys(ports)
    const cursors = logCursors(ports.box)
    const reading = (...names: string[]) => ({ keys, preHandler: readYourWrites(readModels, names) })
    const connectionsOf = readConnections(ports)

    route(app, publicEndpoints.connections, reading('connections'), async ({ user }) => ({
      items: (await connectionsOf(user.id)).map(({ id, name, phoneNumber, line, status }) => ({
        ...{ id, name, phone: phoneNumber },
        isOpen: line === null ? status === 'connected' : line === 'open',
      })),
    }))

    const contacts = async (tenant: string, asked: Parameters<typeof contactPage>[2]) => {
      const { items, nextCursor } = await contactPage(pool, tenant, asked)
      return { items: items.map(shownContact), nextCursor }
    }
    route(app, publicEndpoints.contacts, reading('contact-list'), ({ user, query }) => contacts(user.id, query))
    route(app, publicEndpoints.contactsFound, reading('contact-list'), ({ user, body }) => contacts(user.id, body))

    route(app, publicEndpoints.contact, reading('contact-list'), async ({ user, params }) =>
      shownContact(await requireContact(pool, user.id, params.id)),
    )

    route(
      app,
      publicEndpoints.messages,
      reading('contact-list', 'chat-messages', 'media'),
      async ({ user, params, query }) => {
        const before = cursors.decode(user.id, query.cursor)
        const { id, merged } = await requireContact(pool, user.id, params.id)
        const found = await findMessages(pool, {
          tenant: user.id,
          contactId: id,
          mergedIds: merged.map((each) => each.id),
          page: before === undefined ? { kind: 'latest' } : { kind: 'before', position: before },
          limit: messagesPerPage,
        })
        const { messages = [], olderBefore } = found ?? {}
        const nextCursor = olderBefore === undefined ? null : cursors.encode(user.id, olderBefore)
        return { items: messages.map(shownMessage), nextCursor }
      },
    )

    route(app, publicEndpoints.flows, reading('flows'), async ({ user }) => ({
      items: (await findFlows(pool, user.id)).flatMap(({ id, name, version, status }) =>
        status === 'active' && version !== null ? [{ id, name, version }] : [],
      ),
    }))
  }
