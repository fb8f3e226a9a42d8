import { exportEndpoints } from '@prosa/contracts/http/administration/exports'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { administratorContext } from '@prosa/kernel/http/administrator-context'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { accountFileOf, dataExportId, dataExports } from './data-export.ts'
import { exportSlots } from './export-slots.ts'
import { tenantReadings } from './tenant-reading.ts'

const exportLimits: readonly RateLimit[] = [
  { per: 'user', max: 60, windowSeconds: 60 * 60, counts: 'requests', beyond: 'refuse' },
]

const isKnownContact: Reader<StoredOf<'ContactAdded' | 'ContactErased'>, boolean> = {
  initial: false,
  evolve: { ContactAdded: () => true, ContactErased: () => false },
}

/** Erased accounts too. */
const isRegistered: Reader<StoredOf<'UserRegistered'>, boolean> = {
  initial: false,
  evolve: { UserRegistered: () => true },
}

/** An export is recorded, with the reason, before any data is read. */
export const dataExportRoutes = (
  ports: Pick<Ports, 'store' | 'codec' | 'clock' | 'roles' | 'databaseUrl'>,
): FastifyPluginAsync => {
  const { store, codec, roles } = ports
  const exports = dataExports(ports)
  const slots = exportSlots(ports.databaseUrl)

  const contacts = readFold({ store, codec }, 'contact', isKnownContact)
  const accounts = readFold({ store, codec }, 'user', isRegistered)

  const refuseWhileRunning = async (userId: string) => {
    if (await slots.isTaken(userId)) throw new Refused('export_running')
  }

  const answer = ({ command }: FastifyRequest, reply: FastifyReply, outcome: Awaited<ReturnType<typeof exports>>) => {
    if (!outcome.ok) throw refuse(outcome.rejected)
    replyPosition(reply, outcome.position)
    return reply.code(201).send({ id: exportIdOf(command) })
  }

  const exportIdOf = ({ id }: FastifyRequest['command']) => deriveId(id, 'export')

  return async (app) => {
    route(app, exportEndpoints.request, { config: { limits: exportLimits } }, async (request, reply) => {
      const { user, body, command } = request
      const contactId = body?.contactId
      if (contactId !== undefined && !(await contacts.load(contactId, user.id))) throw refuse('contact_not_found')
      await refuseWhileRunning(user.id)
      const id = dataExportId(user.id, exportIdOf(command))
      const context = commandContext(request)
      const outcome =
        contactId === undefined
          ? await exports(id, { type: 'ExportAccount', data: { by: 'user' } }, context)
          : await exports(id, { type: 'ExportContact', data: { contactId } }, context)
      return answer(request, reply, outcome)
    })

    const readings = tenantReadings(ports)
    const config = { limits: exportLimits }
    route(app, exportEndpoints.requestAccount, { roles, readings, config }, async (request, reply) => {
      const { params, body, command } = request
      if (!(await accounts.load(params.id, params.id))) throw refuse('user_not_found')
      await readings.record(request, accountFileOf(params.id))
      await refuseWhileRunning(params.id)
      const context = administratorContext(request, { tenant: params.id, reason: body?.reason })
      const id = dataExportId(params.id, exportIdOf(command))
      return answer(
        request,
        reply,
        await exports(id, { type: 'ExportAccount', data: { by: 'administrator' } }, context),
      )
    })
  }
}
