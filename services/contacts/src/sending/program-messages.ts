import type { Usage } from '@prosa/contracts/http/accounts/usage'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Attempts } from '@prosa/kernel/http/limits/attempts'
import { Refused, refuse } from '@prosa/kernel/http/problem'
import type { Budgets } from '@prosa/product/budgets'
import { planObstacle } from '@prosa/product/entitlements/plan-obstacle'
import type { Entitlements } from '@prosa/product/entitlements/port'
import { messageOf } from '../chat/chat-state.ts'
import { wayOf } from '../chat/message-line.ts'
import type { SentMessageIds } from '../chat/sent-message-ids.ts'
import { chatIdsOf, chatWith, commandPerson, type Person } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { conversationLines, lineChoice } from './conversation-line.ts'
import { refuseSending } from './refuse-sending.ts'
import { sendingPolicy } from './sending-policy.ts'

export interface ProgramMessageDeps {
  handlers: ContactHandlers
  messageIds: SentMessageIds
  entitlements: Entitlements
  budgets: Pick<Budgets, 'flowMessagesPerContact'>
  attempts: Attempts
}

interface Sending {
  tenant: string
  person: Person
  usage: Usage
  message: { messageId: string; text: string; wish: string | undefined; accept: boolean }
}

/** As for flows (docs/decisions/0047-robots.md). */
const windowSeconds = 600

export const programMessages = ({ handlers, messageIds, entitlements, budgets, attempts }: ProgramMessageDeps) => {
  const { chats, ownLines, clock } = handlers
  const policy = sendingPolicy({ ...handlers, entitlements })

  /** Two programs that answer each other stop here. */
  const limitMessagesTo = async (tenant: string, contactId: string) => {
    const { count, secondsLeft } = await attempts.add(`programs to ${tenant} ${contactId}`, windowSeconds)
    if (count > budgets.flowMessagesPerContact)
      throw new Refused('too_many_messages_to_contact', undefined, Math.ceil(secondsLeft))
  }

  /** Before the message, so that a retry after a crash does all. */
  const prepare = async (
    { tenant, person, message: { accept } }: Sending,
    choice: string | undefined,
    context: CommandContext,
  ) => {
    const commands = [
      ...(accept ? [{ type: 'AcceptConversation', data: { attendantId: tenant } } as const] : []),
      ...(choice === undefined
        ? []
        : [lineChoice(tenant, choice, await conversationLines(handlers, tenant, person), clock.now())]),
    ]
    for (const command of commands) {
      const { outcome } = await commandPerson(handlers, tenant, person.id, command, context)
      if (!outcome.ok) throw refuse(outcome.rejected)
    }
  }

  return {
    /** What may be left of an earlier attempt is found first. */
    async requirePlan(tenant: string, { repeated }: CommandContext): Promise<Usage> {
      const usage = await entitlements.of(tenant)
      const obstacle = planObstacle(usage)
      if (obstacle && !repeated) throw refuseSending(obstacle, usage)
      return usage
    },

    /** One that was ever linked. */
    async requireNumber(tenant: string): Promise<void> {
      const linked = await ownLines(tenant)
      if (!linked.some(({ isLinked, isRemoved }) => isLinked && !isRemoved)) throw refuse('connection_not_open')
    },

    /** Once per id; refuses as for attendants, and to possible robots. */
    async send(
      sending: Sending,
      context: CommandContext,
    ): Promise<{ connectionId: string; position: Position | null }> {
      const { tenant, person, usage, message } = sending
      const { messageId, text, wish } = message
      const chatIds = chatIdsOf(person)
      // Of an attempt whose reply was lost.
      const known = await chatWith(handlers, tenant, chatIds, messageId)
      const before = known && messageOf(known.chat, messageId)
      if (known && before !== undefined)
        return { connectionId: (await wayOf(handlers, known.id, before)).connectionId, position: null }
      const line = await policy.ofProgram(tenant, person, { usage, wish })
      if (line.obstacle) throw refuseSending(line.obstacle, usage)
      const { connectionId } = line
      await limitMessagesTo(tenant, person.id)
      const chatId = await messageIds.claim(tenant, messageId, person.id)
      if (!chatIds.includes(chatId)) throw refuse('message_id_taken')
      await prepare(sending, line.isChoice ? connectionId : undefined, context)
      const content = { kind: 'text', text } as const
      const data = { messageId, connectionId, toJid: jidOf(person.state), content, ...policy.senders.program(tenant) }
      const queued = await chats(chatId, { type: 'QueueMessage', data }, context)
      if (!queued.ok) throw refuse(queued.rejected)
      return { connectionId, position: queued.position }
    },
  }
}
