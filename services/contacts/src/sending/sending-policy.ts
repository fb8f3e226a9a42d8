import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { fileOf, type MessageContent } from '@prosa/contracts/values/message-content'
import { type PlanObstacle, planObstacle } from '@prosa/product/entitlements/plan-obstacle'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { Contact } from '../contact/contact-state.ts'
import type { Person } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'
import { conversationLines, type LineHandlers } from './conversation-line.ts'

type LineObstacle = 'connection_not_found' | 'connection_not_open' | 'line_not_of_conversation' | 'line_removed'

type FlowObstacle = PlanObstacle | 'connection_removed' | 'connection_not_open' | 'media_missing'

type ReplyObstacle = PlanObstacle | 'line_not_open'

type Decision<O> = { connectionId: string; obstacle?: undefined } | { obstacle: O }

/** The sender that a message is recorded with; automatic ones have the tenant as attendant. */
const senders = {
  attendant: (tenant: string) => ({ attendantId: tenant }),
  flow: (tenant: string) => ({ attendantId: tenant, automatic: 'flow' as const }),
  program: (tenant: string) => ({ attendantId: tenant, automatic: 'program' as const }),
  outOfHours: (tenant: string) => ({ attendantId: tenant, automatic: 'out_of_hours' as const }),
}

/** For people who never wrote: the first open line, else the first linked. */
const firstLine = async ({ lines, ownLines }: LineHandlers, tenant: string): Promise<string | undefined> => {
  const own = (await ownLines(tenant)).filter(({ isLinked, isRemoved }) => isLinked && !isRemoved)
  for (const { connectionId } of own.toSorted((one, other) => Number(other.isOpen) - Number(one.isOpen)))
    if ((await lines.load(connectionId, tenant)) !== 'absent') return connectionId
  return undefined
}

/**
 * `isChoice`: the number is recorded as chosen. Requests are followed if the person knows the number or the conversation has no line:
 * nobody gets messages from unknown numbers.
 */
const requestedLine = async (
  handlers: LineHandlers,
  tenant: string,
  person: Person,
  wish: string | undefined,
): Promise<{ connectionId: string; isChoice: boolean; obstacle?: undefined } | { obstacle: LineObstacle }> => {
  const wished = wish === undefined ? undefined : await handlers.lines.load(wish, tenant)
  if (wished === 'absent') return { obstacle: 'connection_not_found' }
  // Messages wait for a line that is down, not for one never linked.
  if (wished === 'unused') return { obstacle: 'connection_not_open' }
  const { current, ofPerson, hadOne } = await conversationLines(handlers, tenant, person)
  if (wish !== undefined) {
    const isKnown = current === null || current === wish || ofPerson.has(wish)
    return isKnown
      ? { connectionId: wish, isChoice: current === null && hadOne }
      : { obstacle: 'line_not_of_conversation' }
  }
  if (current !== null) return { connectionId: current, isChoice: false }
  if (hadOne) return { obstacle: 'line_removed' }
  const connectionId = await firstLine(handlers, tenant)
  return connectionId === undefined ? { obstacle: 'connection_not_open' } : { connectionId, isChoice: false }
}

/** Whether a message may be sent, over which line, and as whom. */
export const sendingPolicy = (
  handlers: LineHandlers & Pick<ContactHandlers, 'media'> & { entitlements: Entitlements },
) => {
  const { lines, media, entitlements } = handlers

  return {
    senders,

    /** Of a person who sees the refusal: the plan comes first. */
    async ofAttendant(
      tenant: string,
      person: Person,
      { usage, isCounted, wish }: { usage: Usage; isCounted: boolean; wish: string | undefined },
    ) {
      const obstacle = planObstacle(usage, isCounted)
      return obstacle ? { obstacle } : requestedLine(handlers, tenant, person, wish)
    },

    /** As an attendant's; besides, programs do not write to what may be a robot, as flows do not. */
    async ofProgram(
      tenant: string,
      person: Person & { state: Pick<Contact, 'isSuspected'> },
      { usage, wish }: { usage: Usage; wish: string | undefined },
    ) {
      const obstacle = planObstacle(usage) ?? (person.state.isSuspected ? ('contact_may_be_robot' as const) : undefined)
      return obstacle ? { obstacle } : requestedLine(handlers, tenant, person, wish)
    },

    /** Waits while the line is down. Refused messages are recorded too, so there is always a connection. */
    async ofFlow(
      tenant: string,
      person: Person,
      { connectionId: ofRun, content }: { connectionId: string; content: MessageContent },
    ): Promise<{ connectionId: string; obstacle: FlowObstacle | undefined }> {
      // The person may have changed lines since.
      const { current, hadOne } = await conversationLines(handlers, tenant, person)
      const connectionId = current ?? ofRun
      const find = async (): Promise<FlowObstacle | undefined> => {
        // The connection may have a new number, unknown to the person.
        if (current === null && hadOne) return 'connection_removed'
        const line = await lines.load(connectionId, tenant)
        if (line === 'absent') return 'connection_removed'
        if (line === 'unused') return 'connection_not_open'
        const ofPlan = planObstacle(await entitlements.of(tenant))
        if (ofPlan) return ofPlan
        const file = fileOf(content)
        return file && (await media.load(file.id, tenant)).status !== 'stored' ? 'media_missing' : undefined
      }
      return { connectionId, obstacle: await find() }
    },

    /** Only over an open line: a late reply would confuse. */
    async outOfHours(tenant: string, person: Person): Promise<Decision<ReplyObstacle>> {
      // The person may have changed lines.
      const { current: connectionId } = await conversationLines(handlers, tenant, person)
      if (connectionId === null || (await lines.load(connectionId, tenant)) !== 'open')
        return { obstacle: 'line_not_open' }
      const obstacle = planObstacle(await entitlements.of(tenant))
      return obstacle ? { obstacle } : { connectionId }
    },
  }
}
