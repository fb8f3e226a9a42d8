import type { Contact } from '@prosa/contracts/http/live-chat'
import { call } from '../../../lib/http/call.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { keys, readAgain } from '../api.ts'

export const useChooseLine = (contactId: string, onChosen: () => void) =>
  useCommand({
    run: (connectionId: string) =>
      call('POST /api/whatsapp/contacts/:id/line', { params: { id: contactId }, body: { connectionId } }),
    apply: (queries, _reply, connectionId) => {
      onChosen()
      queries.setQueryData<Contact | null>(
        keys.contact(contactId),
        (contact) => contact && { ...contact, connectionId },
      )
      return readAgain(queries, contactId)
    },
    failed: (error) => ({
      title: 'O número da conversa continua o mesmo',
      description: refusalOr(error, 'Nada mudou. Tente novamente.'),
    }),
  })
