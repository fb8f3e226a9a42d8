import { type Survivor, survivorOf } from '@prosa/contracts/values/survivor'
import type { CommandContext, Outcome } from '@prosa/kernel/domain/command-handler'
import { type Chat, messageOf, wordsAt } from '../chat/chat-state.ts'
import type { ContactHandlers } from '../handlers.ts'
import type { ContactCommand, ContactRefusal } from './contact-commands.ts'
import type { Contact, ContactEvent } from './contact-state.ts'

export type Person = Survivor<Contact>

/** Foreign contacts are absent. */
export const personAt = (
  { contacts }: Pick<ContactHandlers, 'contacts'>,
  tenant: string,
  id: string,
): Promise<Person> => survivorOf((each) => contacts.load(each, tenant), id)

const maxAttempts = 10

export const commandPerson = async (
  handlers: Pick<ContactHandlers, 'contacts'>,
  tenant: string,
  id: string,
  command: ContactCommand,
  context: CommandContext,
): Promise<{ id: string; outcome: Outcome<ContactEvent, Contact, ContactRefusal> }> => {
  let person = await personAt(handlers, tenant, id)
  for (let attempt = 0; ; attempt++) {
    const outcome = await handlers.contacts(person.id, command, context)
    if (outcome.ok || attempt === maxAttempts) return { id: person.id, outcome }
    // The contact may have been absorbed concurrently.
    const now = await personAt(handlers, tenant, person.id)
    if (now.id === person.id) return { id: person.id, outcome }
    person = now
  }
}

/** Absorbed contacts keep their messages. */
export const chatIdsOf = ({ id, state }: Person): string[] => [id, ...state.absorbed]

/** `also`: further entries to load. */
export const chatWith = async (
  { chats }: Pick<ContactHandlers, 'chats'>,
  tenant: string,
  chatIds: readonly string[],
  messageId: string,
  also: (chat: Chat) => unknown = () => undefined,
): Promise<{ id: string; chat: Chat } | undefined> => {
  for (const id of chatIds) {
    const chat = await chats.load(id, tenant, (state) => [
      wordsAt(state, messageId) ?? messageOf(state, messageId),
      also(state),
    ])
    if (messageOf(chat, messageId) !== undefined) return { id, chat }
  }
  return undefined
}
