import { contactEndpoints } from '@prosa/contracts/http/contacts'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import { commandContactAt } from '../contact/command-contact-at.ts'
import { erasePerson } from '../contact/erase-person.ts'
import { separateContacts } from '../contact/merge-process.ts'
import type { ContactHandlers } from '../handlers.ts'
import { askedAddresses } from '../numbers/asked-addresses.ts'
import type { NumberLookUp } from '../numbers/number-look-up.ts'
import { knownContact } from './known-contact.ts'

export const contactRoutes =
  (handlers: ContactHandlers, lookUp: NumberLookUp): FastifyPluginAsync =>
  async (app) => {
    const addressesOf = askedAddresses(handlers, lookUp)

    route(app, contactEndpoints.add, async (request, reply) => {
      const tenant = request.user.id
      const { addresses, isTyped } = await addressesOf(tenant, request.command.id, request.body.phone)
      const command = { type: 'AddContact', data: { isTyped } } as const
      const { id, state, position } = await commandContactAt(
        handlers,
        tenant,
        addresses,
        command,
        commandContext(request),
      )
      const { status, phone } = state
      replyPosition(reply, position)
      return reply.code(201).send({ id, phone: phone ?? addresses.phone, serviceStatus: status })
    })

    route(app, contactEndpoints.erase, async (request, reply) => {
      const { id } = request.params
      const erased = await erasePerson(handlers, id, commandContext(request))
      if (!erased.ok) throw refuse(erased.rejected)
      replyPosition(reply, erased.position)
      return { id }
    })

    route(app, contactEndpoints.separate, async (request, reply) => {
      const tenant = request.user.id
      const contactId = request.body.contactId.toLowerCase()
      const person = await knownContact(handlers, tenant, request.params.id)
      const separated = await separateContacts(handlers, person.id, contactId, commandContext(request))
      if (!separated.ok) throw refuse(separated.rejected)
      replyPosition(reply, separated.position)
      return { id: person.id, contactId }
    })
  }
