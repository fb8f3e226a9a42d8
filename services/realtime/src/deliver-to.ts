import { type Connection, sessionStatusOf } from '@prosa/contracts/http/connections'
import type { ServerToClient } from '@prosa/contracts/realtime'
import { administrators, type PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import { isAdministrators, type Push } from './pushes.ts'

export interface Listeners {
  emit<E extends keyof ServerToClient>(event: E, ...payload: Parameters<ServerToClient[E]>): unknown
}

const quickSession = ({ id, name, status, qrCode, phoneNumber, lastActivity }: Connection) => ({
  id,
  name,
  status,
  qrCode,
  phoneNumber,
  lastActivity,
})

const emitSessions = (listeners: Listeners, connections: readonly Connection[]) => {
  const sessions = connections.map(quickSession)
  listeners.emit('whatsapp:sessions', sessions)
  listeners.emit('wppconnect:sessions', sessions)
}

/** Specification, 7: events with position tokens. */
export const deliverTo = (
  readConnections: (tenant: string) => Promise<Connection[]>,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
) => {
  /** List reads under way; stale once a push was sent meanwhile. */
  const readings = new Set<{ tenant: string; isStale: boolean }>()

  const deliverConnection = async (listeners: Listeners, { tenant, id }: Push) => {
    const connections = await readConnections(tenant)
    const connection = connections.find((shown) => shown.id === id)
    for (const reading of readings) if (reading.tenant === tenant) reading.isStale = true
    if (connection) {
      const { phoneNumber, lastActivity, status } = connection
      listeners.emit('whatsapp:connection_update', connection)
      const session = { token: id, status: sessionStatusOf(status), phoneNumber, lastActivity }
      listeners.emit('session_status_update', session)
    } else {
      listeners.emit('whatsapp:connection_removed', { connectionId: id })
    }
    emitSessions(listeners, connections)
  }

  return {
    async deliver(listeners: Listeners, push: Push): Promise<void> {
      const { kind, id, contactId, tenant } = push
      const position = tokenOf(isAdministrators(push) ? administrators : tenant, push.position)
      if (kind === 'message') listeners.emit('whatsapp:new_message', { contactId: id, position })
      else if (kind === 'contact' || kind === 'contact-notes' || kind === 'contact-field-values')
        listeners.emit('whatsapp:contact_update', { contactId: id, position })
      else if (kind === 'robot') listeners.emit('whatsapp:robot_suspected', { contactId: id, position })
      else if (kind === 'asked') listeners.emit('whatsapp:person_asked', { contactId: id, position })
      else if (kind === 'quick-reply') listeners.emit('quick_replies:update', { position })
      else if (kind === 'label' || kind === 'contact-field') listeners.emit('labels:update', { position })
      else if (kind === 'flow') listeners.emit('flows:update', { position })
      else if (kind === 'settings') listeners.emit('settings:update', { position })
      else if (kind === 'account') listeners.emit('account:update', { position })
      else if (kind === 'connection') await deliverConnection(listeners, push)
      else if (isAdministrators(push)) listeners.emit('admin:update', { area: push.area, position })
      else if (contactId) listeners.emit('whatsapp:media_update', { contactId, mediaId: id, position })
    },

    /** Reads again when stale, so that an older list never follows a newer connection. */
    async emitConnections(listeners: Listeners, tenant: string): Promise<void> {
      for (;;) {
        const reading = { tenant, isStale: false }
        readings.add(reading)
        const connections = await readConnections(tenant).finally(() => readings.delete(reading))
        if (reading.isStale) continue
        listeners.emit('whatsapp:connections', connections)
        emitSessions(listeners, connections)
        return
      }
    },
  }
}
