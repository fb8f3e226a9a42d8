import type { Reader } from '@prosa/kernel/domain/decider'
import { readFold, readFoldBack } from '@prosa/kernel/domain/read-fold'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'

interface Found {
  position: Position
  connectionId: string
}

const later = (found: readonly (Found | undefined)[]): Found | undefined =>
  found.reduce((last, each) => (!last || (each && each.position > last.position) ? each : last), undefined)

interface ContactLines {
  chosen: Found | undefined
  absorbed: ReadonlySet<string>
}

const contactLines: Reader<StoredOf<'LineChosen' | 'ContactMerged' | 'ContactSeparated'>, ContactLines> = {
  initial: { chosen: undefined, absorbed: new Set() },
  evolve: {
    LineChosen: (state, { connectionId }, { position }) => ({ ...state, chosen: { position, connectionId } }),
    ContactMerged: (state, { absorbed }) => ({ ...state, absorbed: new Set(state.absorbed).add(absorbed) }),
    ContactSeparated: (state, { restored }) => ({
      ...state,
      absorbed: new Set([...state.absorbed].filter((each) => each !== restored)),
    }),
  },
}

/** Many answers and delivery reports may follow the person's last message. */
const maxRead = 5000

interface ChatLines {
  wrote: Found | undefined
  answered: Found | undefined
}

type Outgoing = StoredOf<'MessageSentElsewhere' | 'MessageQueued' | 'ReactionQueued' | 'EditQueued' | 'DeletionQueued'>

const outgoing = (state: ChatLines, { connectionId }: { connectionId: string }, { position }: Outgoing): ChatLines =>
  state.wrote || state.answered ? state : { ...state, answered: { position, connectionId } }

/** Folded from the newest event back. */
const chatLines: Reader<StoredOf<'MessageReceived'> | Outgoing, ChatLines> = {
  initial: { wrote: undefined, answered: undefined },
  evolve: {
    MessageReceived: (state, { connectionId }, { position }) =>
      state.wrote ? state : { ...state, wrote: { position, connectionId } },
    MessageSentElsewhere: outgoing,
    MessageQueued: outgoing,
    ReactionQueued: outgoing,
    EditQueued: outgoing,
    DeletionQueued: outgoing,
  },
}

/**
 * For what starts without a message: the later of the person's last message and an attendant's choice, by log order; else the last outgoing
 * message. The sending number is decided at queueing (docs/decisions/0054-line-of-a-conversation.md).
 */
export const conversationConnection = async (
  ports: Pick<Ports, 'store' | 'codec'>,
  tenant: string,
  contactId: string,
): Promise<string | undefined> => {
  const { chosen, absorbed } = await readFold(ports, 'contact', contactLines).load(contactId, tenant)
  const readChat = (id: string) =>
    readFoldBack(ports, 'chat', chatLines, {
      id,
      tenant,
      maxEvents: maxRead,
      isDone: ({ wrote }) => wrote !== undefined,
    })
  const chats = await Promise.all([contactId, ...absorbed].map(readChat))
  const wrote = later(chats.map((each) => each.wrote))
  return (later([chosen, wrote]) ?? later(chats.map((each) => each.answered)))?.connectionId
}
