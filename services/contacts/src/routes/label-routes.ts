import { type ContactsLabelled, labelEndpoints } from '@prosa/contracts/http/labels'
import { refusals } from '@prosa/contracts/refusals'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { spendChanges } from '@prosa/kernel/http/limits/limit-changes'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactCommand } from '../contact/contact-commands.ts'
import { commandPerson } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'
import type { LabelCommand } from '../labels.ts'

const maxConcurrent = 8

interface Labelling {
  position: Position | null
  refused: ContactsLabelled['refused']
}

/** Refusals do not affect other contacts. */
const commandEach = async (
  handlers: ContactHandlers,
  tenant: string,
  contactIds: readonly string[],
  command: ContactCommand,
  context: CommandContext,
): Promise<Labelling> => {
  const left = [...new Set(contactIds)]
  const order = new Map(left.map((contactId, index) => [contactId, index]))
  const found: Labelling = { position: null, refused: [] }
  const work = async () => {
    for (let contactId = left.shift(); contactId !== undefined; contactId = left.shift()) {
      const { outcome } = await commandPerson(handlers, tenant, contactId, command, context)
      if (!outcome.ok) {
        const { title } = refusals[outcome.rejected]
        found.refused.push({ contactId, type: outcome.rejected, title })
      } else if (outcome.position !== null && outcome.position > (found.position ?? '')) {
        found.position = outcome.position
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  found.refused.sort((one, other) => (order.get(one.contactId) ?? 0) - (order.get(other.contactId) ?? 0))
  return found
}

export const labelRoutes =
  (handlers: ContactHandlers, { spending }: Pick<Ports, 'spending'>): FastifyPluginAsync =>
  async (app) => {
    const { labels } = handlers

    const command = async (request: FastifyRequest, reply: FastifyReply, command: LabelCommand) => {
      const outcome = await labels(request.user.id, command, commandContext(request))
      if (!outcome.ok && outcome.rejected === 'label_name_taken')
        throw refuse('label_name_taken', [{ field: 'name', message: refusals.label_name_taken.title }])
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }

    route(app, labelEndpoints.create, async (request, reply) => {
      const id = deriveId('label', request.command.id)
      const { existing } = await command(request, reply, {
        type: 'CreateLabel',
        data: { ...request.body, labelId: id },
      })
      // A repeated request gets the first reply, even after deletion.
      return reply.code(201).send({ id, ...(existing.get(id) ?? request.body) })
    })

    route(app, labelEndpoints.change, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const { existing } = await command(request, reply, {
        type: 'ChangeLabel',
        data: { ...request.body, labelId: id },
      })
      const label = existing.get(id)
      if (!label) throw refuse('label_not_found')
      return { id, ...label }
    })

    route(app, labelEndpoints.remove, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await command(request, reply, { type: 'DeleteLabel', data: { labelId: id } })
      return { id }
    })

    route(app, labelEndpoints.labelContacts, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const { contactIds, isLabelled } = request.body
      const { existing } = await labels.load(request.user.id, request.user.id)
      if (!existing.has(id)) throw refuse('label_not_found')
      // The request itself counted as one change.
      if (contactIds.length > 1) await spendChanges(spending, request.user.id, contactIds.length - 1)
      const data = { labelId: id, existing: [...existing.keys()] }
      const labelling = await commandEach(
        handlers,
        request.user.id,
        contactIds,
        isLabelled ? { type: 'LabelContact', data } : { type: 'UnlabelContact', data: { labelId: id } },
        commandContext(request),
      )
      replyPosition(reply, labelling.position)
      return { id, isLabelled, refused: labelling.refused }
    })
  }
