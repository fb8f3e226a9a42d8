import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Ports, Service } from '@prosa/product/ports'
import type { LineCommand } from '@prosa/sessions/domain/line'
import { sessionHandlers } from '@prosa/sessions/handlers'

const name = 'simulated-dispatch'

const dispatch = ({ lines }: ReturnType<typeof sessionHandlers>): Reactor => ({
  name,
  categories: ['chat'],
  key: ({ stream }) => stream,
  on: {
    async MessageQueued(event) {
      const { messageId, connectionId, toJid, isRefused } = event.data
      if (isRefused || toJid === erasedText) return
      const contactId = parseStream(event.stream).id
      const report = (command: LineCommand, step: string) =>
        lines(connectionId, command, { ...contextFor(`${name} ${step}`, event) })
      await report({ type: 'RecordDispatched', data: { messageId, contactId } }, 'sent')
      await report({ type: 'RecordDelivery', data: { messageId, contactId, status: 'delivered' } }, 'delivered')
    },
  },
})

/** Replaces the sessions service: real deciders, simulated network. */
export const whatsappNetwork: Service = {
  name: 'simulated-whatsapp',
  mount: async (ports) => ({ reactors: [dispatch(sessionHandlers(ports))] }),
}

export const lineOf = (ports: Ports, tenant: string, connectionId: string) => {
  const { connections, lines } = sessionHandlers(ports)
  const contextOf = (what: string): CommandContext => {
    const commandId = deriveId('simulated network', connectionId, what)
    return {
      commandId,
      actor: { kind: 'whatsapp', id: connectionId },
      tenant,
      causationId: commandId,
      correlationId: commandId,
    }
  }
  return {
    async link(phone: string) {
      const until = ports.clock.now()
      const steps = [
        { type: 'AddConnection', data: { name: 'Loja', network: 'whatsapp', until } },
        { type: 'LinkNumber', data: { generation: 0, phone, lid: null, pushName: null } },
        { type: 'OpenLine', data: { generation: 0 } },
      ] as const
      for (const step of steps) {
        const outcome = await connections(connectionId, step, contextOf(step.type))
        if (!outcome.ok) throw new Error(`${step.type} was refused: ${outcome.rejected}`)
      }
    },
    /** Stored before it is confirmed; the network repeats what is not. */
    async receive(command: LineCommand, id: string) {
      const outcome = await lines(connectionId, command, contextOf(`${command.type} ${id}`))
      if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejected}`)
    },
  }
}
