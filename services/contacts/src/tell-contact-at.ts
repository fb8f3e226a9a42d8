import type { CommandContext } from '@prosa/kernel/command-handler'
import type { Position } from '@prosa/kernel/event-store/port'
import { type Contact, type ContactCommand, type ContactEvent, isThere } from './contact.ts'
import type { ContactHandlers } from './handlers.ts'
import type { Addresses } from './whatsapp-address.ts'

export interface Told {
  id: string
  state: Contact & { status: 'waiting' | 'attending' | 'resolved' }
  events: readonly ContactEvent[]
  position: Position | null
}

const mostAttempts = 3

/**
 * Gives a command to the contact at these addresses, which may become one by it. Where the one that holds them was erased a
 * moment ago, its claims end here and the same person is a new contact.
 */
export const tellContactAt = async (
  { contacts, directory }: Pick<ContactHandlers, 'contacts' | 'directory'>,
  owner: string,
  addresses: Addresses,
  command: Extract<ContactCommand, { type: 'AddContact' | 'HearFromContact' | 'NoteWriting' }>,
  context: CommandContext,
): Promise<Told> => {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const id = await directory.claim(owner, addresses, context)
    const told = await contacts(id, command, context)
    if (told.ok && isThere(told.state)) return { id, state: told.state, events: told.events, position: told.position }
    await directory.release(owner, id, addresses, context)
  }
  throw new Error('every contact at these addresses was erased meanwhile')
}
