import {
  isOfPerson,
  type KnownLine,
  linesTogether,
  type Successor,
  successorOf,
  successorsOf,
} from '@prosa/contracts/values/lines'
import type { Person } from '../contact/person.ts'
import type { ContactHandlers } from '../handlers.ts'

export type LineHandlers = Pick<ContactHandlers, 'contacts' | 'chats' | 'lines' | 'ownLines'>

export interface ConversationLines {
  /** For answers; null if the person never wrote or no connection has the number. */
  current: string | null
  /** Written to or chosen, by the connection that has the number now. */
  ofPerson: ReadonlySet<string>
  /** True even if that connection is gone. */
  hadOne: boolean
  /** By WhatsApp's clock. */
  lastReceivedAt: string | null
}

/** Includes absorbed contacts; the survivor wins ties. */
const knownLines = async ({ contacts, chats }: LineHandlers, tenant: string, { id, state }: Person) => {
  const ids = [...state.absorbed.toSorted(), id]
  const written = await Promise.all(ids.map(async (each) => (await chats.load(each, tenant)).lines))
  const chosen = await Promise.all(
    ids.map(async (each) => (each === id ? state : await contacts.load(each, tenant)).lines),
  )
  const received = linesTogether(written).filter(isOfPerson)
  return { known: linesTogether([...chosen, ...written]), lastReceivedAt: received.at(-1)?.at ?? null }
}

/** Falls back to the connection itself, as the read model may lag. */
const successorIn = (line: KnownLine, own: ReadonlySet<string>, successors: readonly Successor[]) =>
  own.has(line.connectionId) ? successorOf(line, successors) : line.connectionId

export const conversationLines = async (
  handlers: LineHandlers,
  tenant: string,
  person: Person,
): Promise<ConversationLines> => {
  const [{ known, lastReceivedAt }, ownLines] = await Promise.all([
    knownLines(handlers, tenant, person),
    handlers.ownLines(tenant),
  ])
  const own = new Set(ownLines.map(({ connectionId }) => connectionId))
  const successors = successorsOf(ownLines)
  const ofPerson = new Set<string>()
  let current: string | null = null
  for (const line of known) {
    const target = successorIn(line, own, successors)
    if (target === undefined || (await handlers.lines.load(target, tenant)) === 'absent') continue
    current = target
    if (isOfPerson(line)) ofPerson.add(target)
  }
  return { current, ofPerson, hadOne: known.length > 0, lastReceivedAt }
}

export const lineChoice = (
  attendantId: string,
  connectionId: string,
  { current, lastReceivedAt }: ConversationLines,
  chosenAt: string,
) =>
  ({
    type: 'ChooseLine',
    data: { connectionId, attendantId, chosenAt, lastReceivedAt, isSo: current === connectionId },
  }) as const
