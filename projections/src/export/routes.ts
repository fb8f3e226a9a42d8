import { exportEndpoints } from '@prosa/contracts/http/administration/exports'
import { streamName } from '@prosa/contracts/streams'
import { Refused } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { accountFileOf, type GrantedExport, requireGrantedExport } from '@prosa/product/administration/data-export'
import { type ExportSlot, exportSlots } from '@prosa/product/administration/export-slots'
import { tenantReadings } from '@prosa/product/administration/tenant-reading'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { requireContact } from '../contact-list/require-contact.ts'
import { nameUnbuilt } from '../reading/read-your-writes.ts'
import { zipArchive } from './archive.ts'
import { copyAccount, copyContact } from './copies.ts'

/** The rest comes from the log. */
const shown = [
  'account',
  'connections',
  'contact-list',
  'contact-notes',
  'chat-messages',
  'media',
  'quick-replies',
  'labels',
  'company',
  'opening-hours',
  'default-flow',
  'flow-folders',
  'flows',
  'transactions',
  'history-places',
  'history-links',
]
/** Named in the reply while an upgrade builds it: until then the copy has no lines between messages. */
const addedIfBuilt = ['conversation-lines']
const patienceMs = 5000
/** A stalled reader loses the only slot. */
const stallMs = 2 * 60 * 1000

/** Day in São Paulo: '2026-11-23'. */
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' })

/** Where a tenant has no own fields, an export need not wait until an upgrade has built their read models. */
const neededFor = async ({ store, readModels }: Pick<Ports, 'store' | 'readModels'>, tenant: string) => {
  const needed = [...shown, ...addedIfBuilt.filter((name) => readModels.unbuilt([name]).length === 0)]
  for await (const page of store.read(streamName('contactField', tenant), { max: 1 }))
    if (page.length > 0) needed.push('contact-fields', 'contact-field-values')
  return needed
}

export const exportRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool, readModels, clock, roles, databaseUrl, log } = ports
    const slots = exportSlots(databaseUrl)
    const nameAdded = nameUnbuilt(readModels, addedIfBuilt)
    // Fastify's HEAD would make the whole copy.
    const options = { exposeHeadRoute: false }

    const send = async (
      { id: correlationId }: FastifyRequest,
      reply: FastifyReply,
      { userId, contactId }: GrantedExport,
      slot: ExportSlot,
    ) => {
      const contact = contactId === null ? undefined : await requireContact(pool, userId, contactId)
      const archive = zipArchive(new Date(clock.now()))
      const { output } = archive
      const stop = () => output.destroy(new Error('another process took over the export of this account'))
      slot.lost.addEventListener('abort', stop, { once: true })
      reply.raw.setTimeout(stallMs, () => output.destroy(new Error('nobody takes the copy')))
      const copied = contact
        ? copyContact(ports, archive, { tenant: userId, contact })
        : copyAccount(ports, archive, userId)
      let released: Promise<void> | undefined
      const release = () => {
        slot.lost.removeEventListener('abort', stop)
        released ??= slot.release()
        return released
      }
      copied
        // Before the end: a client with the whole file may request the next.
        .then(release)
        .then(archive.finish)
        .catch(async (error: Error) => {
          // A finished file would look complete.
          if (!output.destroyed) log.error({ err: error, correlationId }, 'copy of data given up')
          output.destroy(error)
          await release()
        })
        .catch((error: Error) => log.warn({ err: error, correlationId }, 'slot of an export was not released'))
      const name = `prosa-${contact ? 'contato' : 'dados'}-${day.format(Date.parse(clock.now()))}.zip`
      return reply
        .header('content-type', 'application/zip')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
        .send(output)
    }

    const answer = async (request: FastifyRequest, reply: FastifyReply, granted: GrantedExport) => {
      const slot = await slots.take(granted.userId)
      if (!slot) throw new Refused('export_running')
      try {
        // Refuses an incomplete copy.
        const needed = await neededFor(ports, granted.userId)
        await nameAdded(request, reply)
        const isWhole = await readModels.reached(needed, granted.position, patienceMs)
        if (!isWhole || readModels.isParked(needed, granted.userId)) throw new Refused('export_not_ready')
        return await send(request, reply, granted, slot)
      } catch (error) {
        await slot.release()
        throw error
      }
    }

    route(app, exportEndpoints.file, options, async (request, reply) => {
      const { user, params } = request
      const actor = { kind: 'user', id: user.id } as const
      return answer(request, reply, await requireGrantedExport(ports, { userId: user.id, exportId: params.id, actor }))
    })

    const readings = tenantReadings(ports)
    route(app, exportEndpoints.accountFile, { ...options, roles, readings }, async (request, reply) => {
      const { user, params } = request
      const asked = { userId: params.id, exportId: params.exportId, actor: { kind: 'admin', id: user.id } } as const
      const granted = await requireGrantedExport(ports, asked)
      await readings.record(request, accountFileOf(params.id))
      return answer(request, reply, granted)
    })
  }
