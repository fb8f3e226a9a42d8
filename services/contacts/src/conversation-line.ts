import type { Refusal } from '@prosa/contracts/refusals'
import {
  isOfPerson,
  type KnownLine,
  linesTogether,
  type Successor,
  successorOf,
  successorsOf,
} from '@prosa/contracts/values/lines'
import type { ContactHandlers } from './handlers.ts'
import type { Person } from './person.ts'

type Handlers = Pick<ContactHandlers, 'contacts' | 'chats' | 'lines' | 'ownLines'>

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
const knownLines = async ({ contacts, chats }: Handlers, owner: string, { id, state }: Person) => {
  const ids = [...state.absorbed.toSorted(), id]
  const written = await Promise.all(ids.map(async (each) => (await chats.load(each, owner)).lines))
  const chosen = await Promise.all(
    ids.map(async (each) => (each === id ? state : await contacts.load(each, owner)).lines),
  )
  const received = linesTogether(written).filter(isOfPerson)
  return { known: linesTogether([...chosen, ...written]), lastReceivedAt: received.at(-1)?.at ?? null }
}

/** Falls back to the connection itself, as the read model may lag. */
const successorIn = (line: KnownLine, own: ReadonlySet<string>, successors: readonly Successor[]) =>
  own.has(line.connectionId) ? successorOf(line, successors) : line.connectionId

export const conversationLines = async (
  handlers: Handlers,
  owner: string,
  person: Person,
): Promise<ConversationLines> => {
  const [{ known, lastReceivedAt }, ownLines] = await Promise.all([
    knownLines(handlers, owner, person),
    handlers.ownLines(owner),
  ])
  const own = new Set(ownLines.map(({ connectionId }) => connectionId))
  const successors = successorsOf(ownLines)
  const ofPerson = new Set<string>()
  let current: string | null = null
  for (const line of known) {
    const target = successorIn(line, own, successors)
    if (target === undefined || (await handlers.lines.load(target, owner)) === 'absent') continue
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

/** For people who never wrote: the first open line, else the first linked. */
const firstLine = async ({ lines, ownLines }: Handlers, owner: string): Promise<string | undefined> => {
  const own = (await ownLines(owner)).filter(({ isLinked, isRemoved }) => isLinked && !isRemoved)
  for (const { connectionId } of own.toSorted((one, other) => Number(other.isOpen) - Number(one.isOpen)))
    if ((await lines.load(connectionId, owner)) !== 'absent') return connectionId
  return undefined
}

/**
 * `isChoice`: the number is recorded as chosen. Requests are followed if the person knows the number or the conversation has no line:
 * nobody gets messages from unknown numbers.
 */
export const lineFor = async (
  handlers: Handlers,
  owner: string,
  person: Person,
  wish: string | undefined,
): Promise<{ connectionId: string; isChoice: boolean } | { refused: Refusal }> => {
  const wished = wish === undefined ? undefined : await handlers.lines.load(wish, owner)
  if (wished === 'absent') return { refused: 'connection_not_found' }
  // Messages wait for a line that is down, not for one never linked.
  if (wished === 'unused') return { refused: 'connection_not_open' }
  const { current, ofPerson, hadOne } = await conversationLines(handlers, owner, person)
  if (wish !== undefined) {
    const isKnown = current === null || current === wish || ofPerson.has(wish)
    return isKnown
      ? { connectionId: wish, isChoice: current === null && hadOne }
      : { refused: 'line_not_of_conversation' }
  }
  if (current !== null) return { connectionId: current, isChoice: false }
  if (hadOne) return { refused: 'line_removed' }
  const connectionId = await firstLine(handlers, owner)
  return connectionId === undefined ? { refused: 'connection_not_open' } : { connectionId, isChoice: false }
}
