import type { Contact, Queue } from '@prosa/contracts/http/live-chat'
import type { SendMessageBody } from '@prosa/contracts/http/messages'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { addressOf, call, callPage } from '../../lib/http/call.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'
import { searchPage } from '../../lib/http/search-page.ts'
import { useCommand } from '../../lib/http/use-command.ts'
import { pollingPace } from '../../lib/realtime/live-pace.ts'
import { historyAfter } from './conversation-state.ts'
import { type History, historyOf, type PageAt } from './history-page.ts'
import { type ListFilter, noFilter } from './list/list-filter.ts'

/** Specification, 9: in ms, while no pushes arrive. */
export const polling = {
  waiting: 3_000,
  bot: 3_000,
  attending: 3_000,
  resolved: 10_000,
  messages: 2_000,
  connections: 3_000,
} as const

export const keys = {
  all: ['live-chat'],
  lists: ['live-chat', 'contacts'],
  list: (queue: Queue | null, search: string, { label, line }: ListFilter = noFilter) =>
    ['live-chat', 'contacts', queue, search, label, line] as const,
  /** The key of `contactCountsQuery`, whose module the alerts must not load. */
  counts: ['live-chat', 'counts'],
  contact: (id: string) => ['live-chat', 'contact', id],
  history: (id: string) => ['live-chat', 'history', id],
  notes: (id: string) => ['live-chat', 'notes', id],
  fields: (id: string) => ['live-chat', 'fields', id],
} as const

const filterQuery = ({ label, line }: ListFilter) => ({ label: label ?? undefined, connectionId: line ?? undefined })

/** `queue` null: all. Polls slower with more open pages, for a constant request rate. */
export const contactListQuery = (queue: Queue | null, search: string, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: keys.list(queue, search, filter),
    queryFn: ({ pageParam, signal }) => {
      const asked = { status: queue ?? undefined, ...filterQuery(filter), cursor: pageParam ?? undefined }
      return search === ''
        ? callPage('GET /api/whatsapp/contacts', { query: asked, signal })
        : searchPage('POST /api/whatsapp/contacts/search', { body: { ...asked, search } })
    },
    initialPageParam: null as string | null,
    staleTime: 0,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      pollingPace(polling[queue ?? 'waiting']) * Math.max(1, state.data?.pages.length ?? 1),
  })

export const countsQuery = (line: string | null) =>
  queryOptions({
    queryKey: line === null ? keys.counts : [...keys.counts, line],
    queryFn: ({ signal }) =>
      call('GET /api/whatsapp/contact-counts', { signal, query: { connectionId: line ?? undefined } }),
    refetchInterval: () => pollingPace(polling.waiting),
  })

/** Among all matching contacts, loaded or not. */
export const longestWaiting = (except: string | null, filter: ListFilter) =>
  call('GET /api/whatsapp/longest-waiting', { query: { except: except ?? undefined, ...filterQuery(filter) } })

const nullWhenGone = (error: unknown): null => {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}

/** Null when it does not exist or no longer does. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: keys.contact(id),
    queryFn: ({ signal }): Promise<Contact | null> =>
      call('GET /api/whatsapp/contacts/:id', { params: { id }, signal }).catch(nullWhenGone),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.attending),
  })

export const messagePage = (contactId: string, at: PageAt | Record<string, never>, signal?: AbortSignal) =>
  callPage('GET /api/whatsapp/contacts/:id/messages', { params: { id: contactId }, query: at, signal })

/** Polls read the latest page, if it is loaded, and the page around what is in view elsewhere. */
export const historyQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.history(contactId),
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<History>(queryKey)
      const [latest, around] = await Promise.all([
        known?.newer ? null : messagePage(contactId, {}, signal),
        known?.anchorId ? messagePage(contactId, { around: known.anchorId }, signal).catch(nullWhenGone) : null,
      ])
      let loaded = client.getQueryData<History>(queryKey)
      if (around) loaded = historyAfter(loaded, { type: 'renewed', page: around })
      // Unless another part was opened meanwhile.
      if (latest && !loaded?.newer) loaded = historyAfter(loaded, { type: 'latestRead', page: latest })
      // Since contacts were separated, what was in view is of another conversation.
      const isGone = known?.anchorId && !around && loaded?.anchorId === known.anchorId
      return loaded && !isGone ? loaded : historyOf(latest ?? (await messagePage(contactId, {}, signal)))
    },
    staleTime: 0,
    // `history-page.ts` reuses unchanged messages by id.
    structuralSharing: false,
    refetchInterval: () => pollingPace(polling.messages),
  })

export const markSeen = (contactId: string) =>
  call('POST /api/whatsapp/contacts/:id/seen', { params: { id: contactId } })

export const sendMessage = (body: SendMessageBody) => call('POST /api/whatsapp/send-message', { body })

export const react = (contactId: string, messageId: string, emoji: string | null) =>
  call('POST /api/whatsapp/contacts/:id/messages/:messageId/reaction', {
    params: { id: contactId, messageId },
    body: { emoji },
  })

export const editMessage = (contactId: string, messageId: string, message: string) =>
  call('PATCH /api/whatsapp/contacts/:id/messages/:messageId', {
    params: { id: contactId, messageId },
    body: { message },
  })

export const deleteMessage = (contactId: string, messageId: string) =>
  call('DELETE /api/whatsapp/contacts/:id/messages/:messageId', { params: { id: contactId, messageId } })

export const mediaPath = (mediaId: string): string =>
  addressOf('GET /api/whatsapp/media/:id', { params: { id: mediaId } })

/** The link's `download` has the file's name, which may name a person. */
export const downloadPath = (mediaId: string): string =>
  addressOf('GET /api/whatsapp/media/:id', { params: { id: mediaId }, query: { download: '' } })

export const retryMedia = (mediaId: string) => call('POST /api/whatsapp/media/:id/retry', { params: { id: mediaId } })

interface StatusChange {
  contactId: string
  status: 'attending' | 'resolved'
}

const changeContact = (queries: QueryClient, id: string, change: (contact: Contact) => Contact) =>
  queries.setQueryData<Contact | null>(keys.contact(id), (contact) => contact && change(contact))

export const readListsAgain = (queries: QueryClient) =>
  Promise.all([keys.lists, keys.counts].map((queryKey) => queries.invalidateQueries({ queryKey })))

export const readAgain = (queries: QueryClient, contactId: string) =>
  Promise.all([readListsAgain(queries), queries.invalidateQueries({ queryKey: keys.contact(contactId) })])

const nothingChanged = (title: string) => (error: Error) => ({
  title,
  description: sentenceOf(error, 'Nada mudou. Tente novamente.'),
})

export const useChangeStatus = () =>
  useCommand({
    run: ({ contactId, status }: StatusChange) =>
      call('PATCH /api/whatsapp/contacts/:id/status', { params: { id: contactId }, body: { status } }),
    apply: (queries, _reply, { contactId, status }) => {
      changeContact(queries, contactId, (contact) => ({
        ...contact,
        serviceStatus: status,
        waitingSince: null,
        personAskedAt: null,
        ...(status === 'resolved' && { suspectedRobot: null }),
      }))
      return readAgain(queries, contactId)
    },
    failed: (error, { status }) =>
      nothingChanged(status === 'attending' ? 'A conversa não foi aceita' : 'A conversa não foi finalizada')(error),
  })

export const useReopen = () =>
  useCommand({
    run: (contactId: string) => call('POST /api/whatsapp/contacts/:id/reopen', { params: { id: contactId } }),
    apply: (queries, _reply, contactId) => {
      changeContact(queries, contactId, (contact) => ({ ...contact, serviceStatus: 'attending', waitingSince: null }))
      return readAgain(queries, contactId)
    },
    failed: nothingChanged('A conversa continua finalizada'),
  })

export const useClearRobotSuspicion = () =>
  useCommand({
    run: (contactId: string) => call('POST /api/whatsapp/contacts/:id/not-a-robot', { params: { id: contactId } }),
    apply: (queries, _reply, contactId) => {
      changeContact(queries, contactId, (contact) => ({ ...contact, suspectedRobot: null }))
      void readAgain(queries, contactId)
    },
    done: { title: 'Os fluxos podem começar de novo com este contato' },
    failed: nothingChanged('O contato continua marcado como possível robô'),
  })

/** `digits`: 10 or 11, without the country code. */
export const useAddContact = () =>
  useCommand({
    run: (digits: string) => call('POST /api/whatsapp/contacts', { body: { phone: `55${digits}` } }),
    apply: readListsAgain,
  })

export const fieldValuesQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.fields(contactId),
    queryFn: ({ signal }) => call('GET /api/whatsapp/contacts/:id/fields', { signal, params: { id: contactId } }),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.resolved),
  })
