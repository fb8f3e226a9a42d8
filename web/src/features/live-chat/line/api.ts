import type { Contact } from '@prosa/contracts/http/live-chat'
import { mutationOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { keys } from '../api.ts'

export const chooseLine = mutationOptions({
  mutationFn: ({ contactId, connectionId }: { contactId: string; connectionId: string }) =>
    call('POST /api/whatsapp/contacts/:id/line', { params: { id: contactId }, body: { connectionId } }),
  onSuccess: (_reply, { contactId, connectionId }, _result, { client }) => {
    client.setQueryData<Contact | null>(keys.contact(contactId), (contact) => contact && { ...contact, connectionId })
    return Promise.all([
      client.invalidateQueries({ queryKey: keys.lists }),
      client.invalidateQueries({ queryKey: keys.counts }),
      client.invalidateQueries({ queryKey: keys.contact(contactId) }),
    ])
  },
})
