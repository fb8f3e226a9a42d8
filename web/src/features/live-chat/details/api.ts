import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { refusalOr } from '../../../lib/http.ts'
import { pollingPace } from '../../../lib/live-pace.ts'
import { useCommand } from '../../../lib/use-command.ts'
import { keys, polling } from '../api.ts'

export const notesQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.notes(contactId),
    queryFn: ({ signal }) => call('GET /api/whatsapp/contacts/:id/notes', { signal, params: { id: contactId } }),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.resolved),
  })

/** Of one contact. */
const useNotesCommand = <Input>(
  contactId: string,
  run: (input: Input) => Promise<unknown>,
  failed?: (error: Error) => { title: string; description: string },
) =>
  useCommand({
    run,
    apply: (queries) => queries.invalidateQueries({ queryKey: keys.notes(contactId) }),
    ...(failed && { failed }),
  })

export const useWriteNote = (contactId: string) =>
  useNotesCommand(contactId, (text: string) =>
    call('POST /api/whatsapp/contacts/:id/notes', { params: { id: contactId }, body: { text } }),
  )

export const useRemoveNote = (contactId: string) =>
  useNotesCommand(
    contactId,
    (noteId: string) => call('DELETE /api/whatsapp/contacts/:id/notes/:noteId', { params: { id: contactId, noteId } }),
    (error) => ({ title: 'A nota continua aqui', description: refusalOr(error, 'Tente de novo.') }),
  )

/** A blank name restores the person's own. */
export const useRenameContact = (contactId: string) =>
  useCommand({
    run: (name: string) => call('PUT /api/whatsapp/contacts/:id/name', { params: { id: contactId }, body: { name } }),
    apply: (queries) =>
      Promise.all([keys.contact(contactId), keys.lists].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
