import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { pollingPace } from '../../../lib/realtime/live-pace.ts'
import { keys, polling, readAgain, readListsAgain } from '../api.ts'

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
  more: {
    onStored?: () => void
    failed?: (error: Error) => { title: string; description: string }
  },
) =>
  useCommand({
    run,
    apply(queries) {
      more.onStored?.()
      return queries.invalidateQueries({ queryKey: keys.notes(contactId) })
    },
    ...(more.failed && { failed: more.failed }),
  })

/** `onStored` is called whether or not the form is still there. */
export const useWriteNote = (contactId: string, onStored: () => void) =>
  useNotesCommand(
    contactId,
    (text: string) => call('POST /api/whatsapp/contacts/:id/notes', { params: { id: contactId }, body: { text } }),
    { onStored },
  )

export const useRemoveNote = (contactId: string) =>
  useNotesCommand(
    contactId,
    (noteId: string) => call('DELETE /api/whatsapp/contacts/:id/notes/:noteId', { params: { id: contactId, noteId } }),
    { failed: (error) => ({ title: 'A nota continua aqui', description: refusalOr(error, 'Tente de novo.') }) },
  )

/** As people write it; blank empties the field. */
export const useSetContactField = (contactId: string, fieldId: string) =>
  useCommand({
    run: (value: string) =>
      call('PUT /api/whatsapp/contacts/:id/fields/:fieldId', { params: { id: contactId, fieldId }, body: { value } }),
    rereads: [keys.fields(contactId)],
  })

const useBotCommand = <Input>(contactId: string, run: (input: Input) => Promise<unknown>, title: string) =>
  useCommand({
    run,
    apply: (queries) =>
      Promise.all([readAgain(queries, contactId), queries.invalidateQueries({ queryKey: keys.history(contactId) })]),
    failed: (error) => ({ title, description: refusalOr(error, 'Nada mudou. Tente novamente.') }),
  })

/** In hours; null: until resumed. */
export const usePauseBot = (contactId: string) =>
  useBotCommand(
    contactId,
    (hours: number | null) =>
      call('POST /api/whatsapp/contacts/:id/bot-pause', { params: { id: contactId }, body: { hours } }),
    'O robô não foi pausado',
  )

export const useResumeBot = (contactId: string) =>
  useBotCommand(
    contactId,
    () => call('DELETE /api/whatsapp/contacts/:id/bot-pause', { params: { id: contactId } }),
    'O robô continua pausado',
  )

export const useStartFlow = (contactId: string) =>
  useBotCommand(
    contactId,
    (flowId: string) =>
      call('POST /api/whatsapp/contacts/:id/flow-runs', { params: { id: contactId }, body: { flowId } }),
    'O fluxo não começou',
  )

/** Reverses a merge. */
export const useSeparateContact = () =>
  useCommand({
    run: ({ contactId, mergedId }: { contactId: string; mergedId: string }) =>
      call('POST /api/whatsapp/contacts/:id/separate', { params: { id: contactId }, body: { contactId: mergedId } }),
    apply: (queries) => queries.invalidateQueries({ queryKey: keys.all }),
    failed: (error) => ({
      title: 'Os contatos continuam unidos',
      description: refusalOr(error, 'Nada mudou. Tente novamente.'),
    }),
  })

/** Irreversible. A push may unmount the caller before the reply: `onErased` runs anyway. */
export const useEraseContact = (onErased: () => void) =>
  useCommand({
    run: (contactId: string) => call('DELETE /api/whatsapp/contacts/:id', { params: { id: contactId } }),
    apply: (queries) => {
      onErased()
      return readListsAgain(queries)
    },
  })
