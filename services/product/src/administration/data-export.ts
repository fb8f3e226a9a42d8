import type { EventOf } from '@prosa/contracts/events/all-events'
import type { dataExportEvents } from '@prosa/contracts/events/operations'
import { streamName } from '@prosa/contracts/streams'
import type { Clock } from '@prosa/kernel/clock'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Decider } from '@prosa/kernel/domain/decider'
import type { Position } from '@prosa/kernel/event-store/port'
import { refuse } from '@prosa/kernel/http/problem'
import type { Reading } from '@prosa/kernel/http/reading/recorded-readings'
import type { Ports } from '@prosa/kernel/ports'

export type DataExportEvent = EventOf<typeof dataExportEvents>

type DataExportCommand =
  | { type: 'ExportAccount'; data: { by: 'user' | 'administrator' } }
  | { type: 'ExportContact'; data: { contactId: string } }

/** Stream `dataExport-<user id>:<export id>`. */
export const dataExport: Decider<DataExportCommand, DataExportEvent, { isRequested: boolean }, 'unexpected'> = {
  initial: { isRequested: false },
  decide: {
    ExportAccount: ({ isRequested }, { by }) => (isRequested ? [] : [{ type: 'AccountExported', data: { by } }]),
    ExportContact: ({ isRequested }, { contactId }) =>
      isRequested ? [] : [{ type: 'ContactExported', data: { contactId } }],
  },
  evolve: {
    AccountExported: () => ({ isRequested: true }),
    ContactExported: () => ({ isRequested: true }),
  },
}

/** The download must start within this time. */
const leaveMs = 15 * 60 * 1000

export const dataExportId = (userId: string, exportId: string): string => `${userId}:${exportId}`

export const dataExports = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>) =>
  commandHandler({
    store,
    codec,
    clock,
    service: 'operations',
    category: 'dataExport',
    decider: dataExport,
    foreign: 'unexpected',
  })

export const accountFileOf = (userId: string): Reading => ({
  tenantId: userId,
  what: 'account_file',
  record: `user:${userId}`,
})

export interface GrantedExport {
  userId: string
  /** Null: the whole account. */
  contactId: string | null
  /** The position of the export's own event: earlier events are in the file. */
  position: Position
}

interface Asked {
  userId: string
  exportId: string
  actor: { kind: 'user' | 'admin'; id: string }
}

/** Refuses other requesters (`export_not_found`) and after 15 minutes (`export_over`). */
export const requireGrantedExport = async (
  { store, codec, clock }: Pick<Ports, 'store' | 'codec'> & { clock: Clock },
  { userId, exportId, actor }: Asked,
): Promise<GrantedExport> => {
  for await (const page of store.read(streamName('dataExport', dataExportId(userId, exportId)), { max: 1 })) {
    for (const event of await codec.decode(page)) {
      if (event.metadata.actor.id !== actor.id || event.metadata.actor.kind !== actor.kind) break
      if (Date.parse(clock.now()) - Date.parse(event.metadata.recordedAt) > leaveMs) throw refuse('export_over')
      const contactId = event.type === 'ContactExported' ? event.data.contactId : null
      return { userId, contactId, position: event.position }
    }
  }
  throw refuse('export_not_found')
}
