import { randomUUID } from 'node:crypto'
import type { Instant } from '@prosa/contracts/values/instant'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { correlated } from '@prosa/kernel/observability/correlation'
import type { Ports } from '@prosa/kernel/ports'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { ConnectionCommand } from '../connection/connection.ts'
import type { IsFrom, PhoneAnswer } from '../gateway/gateway.ts'
import type { ConnectionHandler, LineHandler } from '../handlers.ts'
import type { PhoneAnswers } from '../media/phone-answers.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import type { Lease } from './leases/lease-keeper.ts'
import {
  type Arrival,
  arrivalId,
  byChat,
  chatOf,
  type DeliveryStatus,
  isPartner,
  type LineCommand,
  type LineState,
  wrote,
} from './line.ts'
import { latestNumberChange, type NumberChange } from './number-change.ts'
import type { Persistence } from './persistence.ts'

/**
 * Records what one line witnesses, in its order. Everything resolves once it is stored, may be repeated, and rejects once
 * another process looks after the connection.
 */
export interface LineFacts {
  connection(command: ConnectionCommand): Promise<void>
  arrived(arrival: Arrival): Promise<void>
  dispatched(messageId: string): Promise<void>
  failed(messageId: string, code: string): Promise<void>
  /** Records nothing, and answers false, where the message is none of ours or went to somebody else. */
  reported(messageId: string, status: DeliveryStatus, isFrom: IsFrom): Promise<boolean>
  /** Whether a message in the chat with this address is the own side's, as far as is known. */
  wrote(jid: string, messageId: string): Promise<boolean>
  /** Somebody else's messages by the chat in which they arrived; those that are not known are left out. */
  byChat(messageIds: readonly string[]): Promise<Map<string, string[]>>
  /** The chat in which a message arrived; undefined when that is not known. */
  chatOf(messageId: string, fromMe: boolean): Promise<string | undefined>
  /** The answer of the own phone when it was asked for the file of a message; null when it has none. */
  fileAnswered(messageId: string, answer: PhoneAnswer | null): Promise<void>
  /** Whether there were messages with this address on this line; `since` then. */
  hasPartner(jid: string, since?: Instant): Promise<boolean>
  /**
   * Answers after everything before is stored: where the number of this generation took the place of another, null when it did
   * not, undefined when the connection has gone on to something else.
   */
  numberChange(generation: number): Promise<NumberChange | null | undefined>
  /** Anything else that must not be lost and has its place among these. */
  also(work: () => Promise<unknown>): Promise<void>
}

export interface LineFactsDeps {
  connections: ConnectionHandler
  lines: LineHandler
  outbox: Outbox
  persistence: Persistence
  phoneAnswers: PhoneAnswers
  ports: Pick<Ports, 'store' | 'codec' | 'log'> & { box: Pick<SecretBox, 'fingerprint'> }
}

const contextOf =
  (connectionId: string, owner: string) =>
  (commandId: string, cause?: QueuedMessage): CommandContext => ({
    commandId,
    actor: { kind: 'whatsapp', id: connectionId },
    owner,
    causationId: cause?.eventId ?? commandId,
    correlationId: cause?.correlationId ?? commandId,
  })

export const lineFacts = (
  { connections, lines, outbox, persistence, phoneAnswers, ports }: LineFactsDeps,
  connectionId: string,
  owner: string,
  lease: Lease,
): LineFacts => {
  const own = outbox.under(lease.token)
  const { log } = ports
  const also = (work: () => Promise<unknown>) =>
    persistence.inTurn(connectionId, async () => {
      lease.require()
      await work()
    })

  const context = contextOf(connectionId, owner)

  const record = async (command: LineCommand, about: CommandContext) => {
    const outcome = await lines(connectionId, command, about)
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejected}`)
  }

  const asked = async <T>(question: (state: LineState) => T): Promise<T> =>
    question(await lines.load(connectionId, owner, question))

  /** Does nothing for messages that did not come from our outbox: those that the phone itself sent get receipts too. */
  const ofOurs = (messageId: string, work: (message: QueuedMessage) => Promise<void>) => async () => {
    const message = await outbox.find(connectionId, messageId)
    if (message) await correlated(message.correlationId, () => work(message))
  }

  return {
    also,
    connection(command) {
      const about = context(randomUUID())
      const recordNow = async () => {
        // The next owner's line makes WhatsApp close this one: that must not be taken for a fact of the connection.
        await lease.confirm()
        await connections(connectionId, command, about)
      }
      return correlated(about.correlationId, () => also(recordNow))
    },
    wrote: (jid, messageId) => asked((state) => wrote(state, jid, messageId)),
    byChat: (messageIds) => asked((state) => byChat(state, messageIds)),
    chatOf: (messageId, fromMe) => asked((state) => chatOf(state, messageId, fromMe)),
    // True whoever reports it, and the phone reports it once: no lease is needed.
    fileAnswered: (messageId, answer) =>
      persistence.inTurn(connectionId, () => phoneAnswers.keep(connectionId, messageId, answer)),
    hasPartner: (jid, since) => asked((state) => isPartner(state, jid, since)),
    async numberChange(generation) {
      let change: NumberChange | null | undefined
      await also(async () => {
        const state = await connections.load(connectionId, owner)
        if (state.status !== 'linked' || state.generation !== generation) return
        change = state.numbers > 1 ? await latestNumberChange(ports, connectionId) : null
      })
      return change
    },
    arrived(arrival) {
      const { chatJid, fromMe } = arrival.data
      const id = arrivalId(arrival)
      // An id is stored in plain: made of a number as it is, it could be tried against all numbers that there are.
      const which = ports.box.fingerprint(`${chatJid} ${id} ${fromMe}`, 'id of an arrival')
      const about = context(deriveId('arrival', connectionId, which))
      const recordOnce = async () => {
        if (fromMe && (await outbox.find(connectionId, id))) return
        await record(arrival, about)
      }
      return correlated(about.correlationId, () => also(recordOnce))
    },
    dispatched: (messageId) =>
      also(
        ofOurs(messageId, async (message) => {
          const { contactId } = message
          const about = context(deriveId('dispatched', connectionId, messageId), message)
          await record({ type: 'RecordDispatched', data: { messageId, contactId } }, about)
          await own.settle(connectionId, messageId, 'dispatched')
        }),
      ),
    failed: (messageId, code) =>
      also(
        ofOurs(messageId, async (message) => {
          const { contactId, state, work } = message
          if (state !== 'waiting') return
          if (work?.kind === 'reupload') await phoneAnswers.keep(connectionId, work.messageId, null)
          if (work?.kind === 'read' || work?.kind === 'reupload') return own.remove(connectionId, messageId)
          // One that failed may be tried again and fail again: that is a fact of its own.
          const about = context(deriveId('failed', connectionId, messageId, message.eventId), message)
          await record({ type: 'RecordFailure', data: { messageId, contactId, code } }, about)
          // Somebody may have tried again already.
          await own.settle(connectionId, messageId, 'failed', message.eventId)
        }),
      ),
    async reported(messageId, status, isFrom) {
      let counts = false
      // WhatsApp does not repeat a tick that Baileys has confirmed, and it stays true whoever reports it: no lease is
      // needed.
      await persistence.inTurn(
        connectionId,
        ofOurs(messageId, async (message) => {
          const { contactId, toJid } = message
          if (!(await isFrom(toJid))) return log.warn({ connectionId, messageId }, 'receipt of somebody else ignored')
          counts = true
          const about = context(deriveId('reported', connectionId, messageId, status), message)
          await record({ type: 'RecordDelivery', data: { messageId, contactId, status } }, about)
          await outbox.settle(connectionId, messageId, 'dispatched')
        }),
      )
      return counts
    },
  }
}
