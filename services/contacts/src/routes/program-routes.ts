import { publicEndpoints } from '@prosa/contracts/http/public/public-api'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { KeyGate } from '@prosa/kernel/http/keys'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import { messageIdOf } from '@prosa/kernel/message-id-of'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { commandContactAt } from '../contact/command-contact-at.ts'
import { askedAddresses } from '../numbers/asked-addresses.ts'
import type { NumberLookUp } from '../numbers/number-look-up.ts'
import { type ProgramMessageDeps, programMessages } from '../sending/program-messages.ts'
import { stepOf } from '../step-of.ts'
import { knownContact } from './known-contact.ts'

type Deps = Omit<ProgramMessageDeps, 'attempts'> & { lookUp: NumberLookUp; keys: KeyGate }

/** Of the public API, by key (docs/decisions/0078-public-api.md). */
export const programRoutes =
  ({ lookUp, keys, ...deps }: Deps): FastifyPluginAsync =>
  async (app) => {
    const { handlers } = deps
    const messages = programMessages({ ...deps, attempts: app.attempts })
    const addressesOf = askedAddresses(handlers, lookUp)

    const addContact = async (request: FastifyRequest, phone: string) => {
      const tenant = request.user.id
      const { addresses, isTyped } = await addressesOf(tenant, request.command.id, phone)
      const command = { type: 'AddContact', data: { isTyped } } as const
      const context = stepOf(commandContext(request), 'contact')
      return { addresses, ...(await commandContactAt(handlers, tenant, addresses, command, context)) }
    }

    route(app, publicEndpoints.addContact, { keys }, async (request, reply) => {
      const { addresses, id, state, position } = await addContact(request, request.body.phone)
      replyPosition(reply, position)
      return reply.code(201).send({ id, phone: state.phone ?? addresses.phone, status: state.status })
    })

    route(app, publicEndpoints.send, { keys }, async (request, reply) => {
      const { contactId: asked, phone = '', text, connectionId: wish, accept } = request.body
      const tenant = request.user.id
      const context = commandContext(request)
      const usage = await messages.requirePlan(tenant, context)
      if (wish !== undefined && (await handlers.lines.load(wish, tenant)) === 'absent')
        throw refuse('connection_not_found')
      // Nobody is looked up or added for a message that cannot leave.
      if (asked === undefined && wish === undefined) await messages.requireNumber(tenant)
      const person = await knownContact(handlers, tenant, asked ?? (await addContact(request, phone)).id)
      const message = { messageId: messageIdOf(request.command.id), text, wish, accept }
      const { connectionId, position } = await messages.send({ tenant, person, usage, message }, context)
      replyPosition(reply, position)
      const isLineOpen = (await handlers.lines.load(connectionId, tenant)) === 'open'
      const queued = {
        id: message.messageId,
        contactId: person.id,
        connectionId,
        status: 'queued',
        isLineOpen,
      } as const
      return reply.code(202).send(queued)
    })
  }
