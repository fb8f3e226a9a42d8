import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { pollingPace } from '../../../lib/live-pace.ts'
import { keys, polling } from '../api.ts'

export const notesQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.notes(contactId),
    queryFn: () => call('GET /api/whatsapp/contacts/:id/notes', { params: { id: contactId } }),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.resolved),
  })

interface Note {
  contactId: string
  text: string
}

export const writeNote = mutationOptions({
  mutationFn: ({ contactId, text }: Note) =>
    call('POST /api/whatsapp/contacts/:id/notes', { params: { id: contactId }, body: { text } }),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    client.invalidateQueries({ queryKey: keys.notes(contactId) }),
})

export const removeNote = mutationOptions({
  mutationFn: ({ contactId, noteId }: { contactId: string; noteId: string }) =>
    call('DELETE /api/whatsapp/contacts/:id/notes/:noteId', { params: { id: contactId, noteId } }),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    client.invalidateQueries({ queryKey: keys.notes(contactId) }),
})

/** A blank name restores the person's own. */
export const renameContact = mutationOptions({
  mutationFn: ({ contactId, name }: { contactId: string; name: string }) =>
    call('PUT /api/whatsapp/contacts/:id/name', { params: { id: contactId }, body: { name } }),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.contact(contactId) }),
      client.invalidateQueries({ queryKey: keys.lists }),
    ]),
})
