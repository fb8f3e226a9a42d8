import { randomUUID } from 'node:crypto'
import type { Instant } from '@prosa/contracts/values/instant'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import { correlated } from '@prosa/kernel/observability/correlation'
import { traced } from '@prosa/kernel/observability/tracing'
import type { Ports } from '@prosa/kernel/ports'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { ConnectionCommand } from '../domain/connection.ts'
import { type Arrival, arrivalId, type DeliveryStatus, type LineCommand } from '../domain/line.ts'
import { byChat, chatOf, isOwnMessage, isPartner, type LineState } from '../domain/line-state.ts'
import type { IsFrom, PhoneAnswer } from '../gateway/gateway.ts'
import type { ConnectionHandler, LineHandler } from '../handlers.ts'
import type { Lease } from '../leases/lease-keeper.ts'
import type { PhoneAnswers } from '../media/phone-answers.ts'
import type { Outbox, QueuedMessage } from '../outbox/outbox.ts'
import { latestNumberChange, type NumberChange } from './number-change.ts'
import type { Persistence } from './persistence.ts'

/** In order. Each resolves once stored, is idempotent, and rejects once another process holds the lease. */
export interface LineFacts {
  connection(command: ConnectionCommand): Promise<void>
  arrived(arrival: Arrival): Promise<void>
  dispatched(messageId: string): Promise<void>
  failed(messageId: string, code: string): Promise<void>
  /** False, without a record, unless sent by us to this person. */
  reported(messageId: string, status: DeliveryStatus, isFrom: IsFrom): Promise<boolean>
  isOwnMessage(jid: string, messageId: string): Promise<boolean>
  /** Unknown messages are omitted. */
  byChat(messageIds: readonly string[]): Promise<Map<string, string[]>>
  chatOf(messageId: string, fromMe: boolean): Promise<string | undefined>
  fileAnswered(messageId: string, answer: PhoneAnswer | null): Promise<void>
  hasPartner(jid: string, since?: Instant): Promise<boolean>
  /** Waits until everything before is stored. null: no change in this generation; undefined: the generation is past. */
  numberChange(generation: number): Promise<NumberChange | null | undefined>
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
  (connectionId: string, tenant: string) =>
  (commandId: string, cause?: QueuedMessage): CommandContext => ({
    commandId,
    actor: { kind: 'whatsapp', id: connectionId },
    tenant,
    causationId: cause?.eventId ?? commandId,
    correlationId: cause?.correlationId ?? commandId,
  })

/** Records facts of one connection, in order and under its lease; a refusal is an error. */
const recorder = (
  { lines, outbox, persistence }: LineFactsDeps,
  connectionId: string,
  tenant: string,
  lease: Lease,
) => ({
  context: contextOf(connectionId, tenant),
  also: (work: () => Promise<unknown>) =>
    persistence.enqueue(connectionId, async () => {
      lease.require()
      await work()
    }),
  async record(command: LineCommand, about: CommandContext) {
    const store = () => lines(connectionId, command, about)
    const name = { 'prosa.command': command.type }
    const outcome = await traced(`whatsapp ${command.type}`, name, store, about.correlationId)
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.rejected}`)
  },
  /** Messages sent on the phone get receipts too. */
  ofOurs: (messageId: string, work: (message: QueuedMessage) => Promise<void>) => async () => {
    const message = await outbox.find(connectionId, messageId)
    if (message) await correlated(message.correlationId, () => work(message))
  },
})

/** Facts of messages that we sent. */
const sentFacts = (
  { outbox, persistence, phoneAnswers, ports: { log } }: LineFactsDeps,
  { context, also, record, ofOurs }: ReturnType<typeof recorder>,
  connectionId: string,
  lease: Lease,
): Pick<LineFacts, 'dispatched' | 'failed' | 'reported'> => {
  const own = outbox.under(lease.token)
  return {
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
          if (work?.kind === 'reupload') await phoneAnswers.save(connectionId, work.messageId, null)
          if (work?.kind === 'read' || work?.kind === 'reupload') return own.remove(connectionId, messageId)
          // A retry may fail again: a fact of its own.
          const about = context(deriveId('failed', connectionId, messageId, message.eventId), message)
          await record({ type: 'RecordFailure', data: { messageId, contactId, code } }, about)
          await own.settle(connectionId, messageId, 'failed', message.eventId)
        }),
      ),
    async reported(messageId, status, isFrom) {
      let counts = false
      // True whoever reports it, and WhatsApp does not repeat a confirmed receipt: no lease needed.
      await persistence.enqueue(
        connectionId,
        ofOurs(messageId, async (message) => {
          const { contactId, toJid } = message
          if (!(await isFrom(toJid)))
            return log.warn({ connectionId, messageId }, 'receipt from another person than the recipient ignored')
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

export const lineFacts = (deps: LineFactsDeps, connectionId: string, tenant: string, lease: Lease): LineFacts => {
  const { connections, lines, outbox, persistence, phoneAnswers, ports } = deps
  const recording = recorder(deps, connectionId, tenant, lease)
  const { context, also, record } = recording
  const asked = async <T>(question: (state: LineState) => T): Promise<T> =>
    question(await lines.load(connectionId, tenant, question))

  return {
    ...sentFacts(deps, recording, connectionId, lease),
    also,
    connection(command) {
      const about = context(randomUUID())
      const recordNow = async () => {
        // The next holder's line makes WhatsApp close this one: no fact of the connection.
        await lease.confirm()
        await connections(connectionId, command, about)
      }
      return correlated(about.correlationId, () => also(recordNow))
    },
    isOwnMessage: (jid, messageId) => asked((state) => isOwnMessage(state, jid, messageId)),
    byChat: (messageIds) => asked((state) => byChat(state, messageIds)),
    chatOf: (messageId, fromMe) => asked((state) => chatOf(state, messageId, fromMe)),
    // True whoever reports it: no lease needed.
    fileAnswered: (messageId, answer) =>
      persistence.enqueue(connectionId, () => phoneAnswers.save(connectionId, messageId, answer)),
    hasPartner: (jid, since) => asked((state) => isPartner(state, jid, since)),
    async numberChange(generation) {
      let change: NumberChange | null | undefined
      await also(async () => {
        const state = await connections.load(connectionId, tenant)
        if (state.status !== 'linked' || state.generation !== generation) return
        change = state.numbers > 1 ? await latestNumberChange(ports, connectionId) : null
      })
      return change
    },
    arrived(arrival) {
      const { chatJid, fromMe } = arrival.data
      const id = arrivalId(arrival)
      // Ids are plaintext: one derived from the number could be tested against all numbers.
      const which = ports.box.fingerprint(`${chatJid} ${id} ${fromMe}`, 'id of an arrival')
      const about = context(deriveId('arrival', connectionId, which))
      const recordOnce = async () => {
        if (fromMe && (await outbox.find(connectionId, id))) return
        await record(arrival, about)
      }
      return correlated(about.correlationId, () => also(recordOnce))
    },
  }
}
