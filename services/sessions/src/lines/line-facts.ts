import { randomUUID } from 'node:crypto'
import type { CommandContext } from '@prosa/kernel/command-handler'
import { deriveId } from '@prosa/kernel/derive-id'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { ConnectionCommand } from '../connection.ts'
import type { ConnectionHandler, LineHandler } from '../handlers.ts'
import type { ArrivedMessage, DeliveryStatus, LineCommand } from '../line.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import type { Persistence } from './persistence.ts'

/** Records what one line witnesses, in its order. Everything resolves once it is stored, and may be told twice. */
export interface LineFacts {
  connection(command: ConnectionCommand): Promise<void>
  arrived(message: ArrivedMessage): Promise<void>
  dispatched(messageId: string): Promise<void>
  failed(messageId: string, code: string): Promise<void>
  reported(messageId: string, status: DeliveryStatus): Promise<void>
  /** Anything else that must not be lost and has its place among these. */
  also(work: () => Promise<unknown>): Promise<void>
}

export interface LineFactsDeps {
  connections: ConnectionHandler
  lines: LineHandler
  outbox: Outbox
  persistence: Persistence
  ports: { box: Pick<SecretBox, 'fingerprint'> }
}

export const lineFacts = (
  { connections, lines, outbox, persistence, ports: { box } }: LineFactsDeps,
  connectionId: string,
  owner: string,
): LineFacts => {
  const also = (work: () => Promise<unknown>) => persistence.inTurn(connectionId, work)

  const context = (commandId: string, cause?: QueuedMessage): CommandContext => ({
    commandId,
    actor: { kind: 'whatsapp', id: connectionId },
    owner,
    causationId: cause?.eventId ?? commandId,
    correlationId: cause?.correlationId ?? commandId,
  })

  const record = async (command: LineCommand, about: CommandContext) => {
    const outcome = await lines(connectionId, command, about)
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejected}`)
  }

  /** Does nothing for messages that did not come from our outbox: those that the phone itself sent get receipts too. */
  const ofOurs = (messageId: string, work: (message: QueuedMessage) => Promise<void>) =>
    also(async () => {
      const message = await outbox.find(connectionId, messageId)
      if (message) await correlated(message.correlationId, () => work(message))
    })

  return {
    also,
    connection(command) {
      const about = context(randomUUID())
      return correlated(about.correlationId, () => also(() => connections(connectionId, command, about)))
    },
    arrived(message) {
      const { chatJid, messageId, fromMe } = message
      // An id is stored in plain: made of a number as it is, it could be tried against all numbers that there are.
      const which = box.fingerprint(`${chatJid} ${messageId} ${fromMe}`, 'id of an arrival')
      const about = context(deriveId('arrival', connectionId, which))
      const recordOnce = async () => {
        if (fromMe && (await outbox.find(connectionId, messageId))) return
        await record({ type: 'RecordArrival', data: message }, about)
      }
      return correlated(about.correlationId, () => also(recordOnce))
    },
    dispatched: (messageId) =>
      ofOurs(messageId, async (message) => {
        const { contactId } = message
        const about = context(deriveId('dispatched', connectionId, messageId), message)
        await record({ type: 'RecordDispatched', data: { messageId, contactId } }, about)
        await outbox.settle(connectionId, messageId, 'dispatched')
      }),
    failed: (messageId, code) =>
      ofOurs(messageId, async (message) => {
        const { contactId, state } = message
        if (state === 'dispatched') return
        const about = context(deriveId('failed', connectionId, messageId), message)
        await record({ type: 'RecordFailure', data: { messageId, contactId, code } }, about)
        await outbox.settle(connectionId, messageId, 'failed')
      }),
    reported: (messageId, status) =>
      ofOurs(messageId, async (message) => {
        const { contactId } = message
        const about = context(deriveId('reported', connectionId, messageId, status), message)
        await record({ type: 'RecordDelivery', data: { messageId, contactId, status } }, about)
        await outbox.settle(connectionId, messageId, 'dispatched')
      }),
  }
}
