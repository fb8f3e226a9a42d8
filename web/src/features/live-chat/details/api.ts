import type { ContactNote } from '@prosa/contracts/http/contact-details'
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { request } from '../../../lib/http.ts'
import { pollingPace } from '../../../lib/live-pace.ts'
import { keys, polling } from '../api.ts'

const contactPath = (contactId: string) => `/api/whatsapp/contacts/${contactId}`

export const notesQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.notes(contactId),
    queryFn: () => request<ContactNote[]>('GET', `${contactPath(contactId)}/notes`),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.resolved),
  })

interface Note {
  contactId: string
  text: string
}

export const writeNote = mutationOptions({
  mutationFn: ({ contactId, text }: Note) => request('POST', `${contactPath(contactId)}/notes`, { text }),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    client.invalidateQueries({ queryKey: keys.notes(contactId) }),
})

export const removeNote = mutationOptions({
  mutationFn: ({ contactId, noteId }: { contactId: string; noteId: string }) =>
    request('DELETE', `${contactPath(contactId)}/notes/${noteId}`),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    client.invalidateQueries({ queryKey: keys.notes(contactId) }),
})

/** A blank name shows the person's own again. */
export const renameContact = mutationOptions({
  mutationFn: ({ contactId, name }: { contactId: string; name: string }) =>
    request('PUT', `${contactPath(contactId)}/name`, { name }),
  onSuccess: (_reply, { contactId }, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.contact(contactId) }),
      client.invalidateQueries({ queryKey: keys.lists }),
    ]),
})
