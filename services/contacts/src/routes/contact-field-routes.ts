import { contactFieldEndpoints } from '@prosa/contracts/http/contact-details'
import { refusals } from '@prosa/contracts/refusals'
import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import { readAnswer } from '@prosa/contracts/values/answers/read-answer'
import { localDay } from '@prosa/contracts/values/time/local-time'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { commandPerson } from '../contact/person.ts'
import type { ContactFieldCommand } from '../fields/contact-fields.ts'
import type { ContactHandlers } from '../handlers.ts'
import { knownContact } from './known-contact.ts'

const wanted: Record<AnswerType, string> = {
  text: 'Escreva um texto.',
  number: 'Escreva um número, como 3 ou 1.500,50.',
  email: 'Escreva um e-mail, como nome@exemplo.com.br.',
  phone: 'Escreva um telefone com DDD, como (11) 98888-7777.',
  document: 'Escreva um CPF ou CNPJ: os dígitos não conferem.',
  date: 'Escreva uma data, como 27/11/2026.',
  yes_no: 'Escreva sim ou não.',
  file: 'Este campo não se escreve.',
}

export const contactFieldRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { contactFields, openingHours, clock } = handlers

    const command = async (request: FastifyRequest, reply: FastifyReply, command: ContactFieldCommand) => {
      const outcome = await contactFields(request.user.id, command, commandContext(request))
      if (!outcome.ok && outcome.rejected === 'contact_field_name_taken')
        throw refuse('contact_field_name_taken', [{ field: 'name', message: refusals.contact_field_name_taken.title }])
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }

    const todayOf = async (tenant: string): Promise<string> => {
      const { hours } = await openingHours.load(tenant, tenant)
      return localDay(hours?.timeZone ?? defaultTimeZone, clock.now())
    }

    route(app, contactFieldEndpoints.create, async (request, reply) => {
      const fieldId = deriveId('contact field', request.command.id)
      const { name, type } = request.body
      const { existing } = await command(request, reply, { type: 'CreateContactField', data: { fieldId, name, type } })
      const field = existing.get(fieldId)
      // Repeated after it was deleted.
      if (!field) throw refuse('contact_field_not_found')
      return reply.code(201).send({ id: fieldId, ...field })
    })

    route(app, contactFieldEndpoints.rename, async (request, reply) => {
      const fieldId = request.params.id.toLowerCase()
      const data = { fieldId, name: request.body.name }
      const field = (await command(request, reply, { type: 'RenameContactField', data })).existing.get(fieldId)
      if (!field) throw refuse('contact_field_not_found')
      return { id: fieldId, ...field }
    })

    route(app, contactFieldEndpoints.remove, async (request, reply) => {
      const fieldId = request.params.id.toLowerCase()
      await command(request, reply, { type: 'DeleteContactField', data: { fieldId } })
      return { id: fieldId }
    })

    route(app, contactFieldEndpoints.setValue, async (request, reply) => {
      const tenant = request.user.id
      const person = await knownContact(handlers, tenant, request.params.id)
      const fieldId = request.params.fieldId.toLowerCase()
      const field = (await contactFields.load(tenant, tenant)).existing.get(fieldId)
      if (!field) throw refuse('contact_field_not_found')
      const { type } = field
      const text = request.body.value
      const value = text === '' ? null : readAnswer(type, { text }, await todayOf(tenant))
      if (value === undefined) throw refuse('contact_field_value_invalid', [{ field: 'value', message: wanted[type] }])
      const { outcome } = await commandPerson(
        handlers,
        tenant,
        person.id,
        { type: 'SetContactField', data: { fieldId, type, value } },
        commandContext(request),
      )
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return { id: fieldId, value }
    })
  }
