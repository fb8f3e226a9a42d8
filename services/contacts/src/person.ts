import type { CommandContext, Outcome } from '@prosa/kernel/domain/command-handler'
import { type Chat, messageOf, wordsAt } from './chat.ts'
import type { Contact, ContactCommand, ContactEvent, ContactRefusal } from './contact.ts'
import type { ContactHandlers } from './handlers.ts'

/** A contact as it stands now, and who it is. */
export interface Person {
  id: string
  state: Contact
}

/**
 * The contact itself, or the one that goes on for it since they were merged. Somebody else's is absent. One that is about to be
 * restored is itself, absorbed still.
 */
export const personAt = async (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  owner: string,
  id: string,
): Promise<Person> => {
  let person = { id, state: await contacts.load(id, owner) }
  while (person.state.status === 'absorbed' && person.state.into) {
    const next = { id: person.state.into, state: await contacts.load(person.state.into, owner) }
    if (next.state.separated.includes(person.id)) break
    person = next
  }
  return person
}

const maxAttempts = 10

/** Gives a command to the contact, or to the one that it was merged into. */
export const commandPerson = async (
  handlers: Pick<ContactHandlers, 'contacts'>,
  owner: string,
  id: string,
  command: ContactCommand,
  context: CommandContext,
): Promise<{ id: string; outcome: Outcome<ContactEvent, Contact, ContactRefusal> }> => {
  let person = await personAt(handlers, owner, id)
  for (let attempt = 0; ; attempt++) {
    const outcome = await handlers.contacts(person.id, command, context)
    if (outcome.ok || attempt === maxAttempts) return { id: person.id, outcome }
    // It may have been absorbed in this very moment.
    const now = await personAt(handlers, owner, person.id)
    if (now.id === person.id) return { id: person.id, outcome }
    person = now
  }
}

/** Every contact whose chat is this person's: who was merged keeps the messages that it had. */
export const chatIdsOf = ({ id, state }: Person): string[] => [id, ...state.absorbed]

/** The chat that knows a message, among those given; `also`: what else is going to be asked of it. */
export const chatWith = async (
  { chats }: Pick<ContactHandlers, 'chats'>,
  owner: string,
  chatIds: readonly string[],
  messageId: string,
  also: (chat: Chat) => unknown = () => undefined,
): Promise<{ id: string; chat: Chat } | undefined> => {
  for (const id of chatIds) {
    // What becomes of the message is asked for too: whoever looks for one wants to know.
    const chat = await chats.load(id, owner, (state) => [
      wordsAt(state, messageId) ?? messageOf(state, messageId),
      also(state),
    ])
    if (messageOf(chat, messageId) !== undefined) return { id, chat }
  }
  return undefined
}
