import type { Contact, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { SendMessageBody } from '@prosa/contracts/http/messages'
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { addressOf, call, callPage } from '../../lib/call.ts'
import { ApiProblem } from '../../lib/http.ts'
import { pollingPace } from '../../lib/live-pace.ts'
import { type History, withLatestPage, withRenewed } from './history-page.ts'
import { type ListFilter, noFilter } from './list/list-filter.ts'

/** Specification, 9, in milliseconds: how often is asked while no pushes arrive. */
export const polling = {
  waiting: 3_000,
  attending: 3_000,
  resolved: 10_000,
  messages: 2_000,
  connections: 3_000,
} as const

export const keys = {
  all: ['live-chat'],
  lists: ['live-chat', 'contacts'],
  list: (status: ServiceStatus | null, search: string, { label, line }: ListFilter = noFilter) =>
    ['live-chat', 'contacts', status, search, label, line] as const,
  /** That of `contactCountsQuery`, which the frame reads. Imported, it would be loaded with what announces messages. */
  counts: ['live-chat', 'counts'],
  contact: (id: string) => ['live-chat', 'contact', id],
  history: (id: string) => ['live-chat', 'history', id],
  notes: (id: string) => ['live-chat', 'notes', id],
} as const

const filterQuery = ({ label, line }: ListFilter) => ({ label: label ?? undefined, connectionId: line ?? undefined })

/**
 * The list of one tab, or of all with `status` null, as far as the filter lets them through. The more pages are open, the slower it
 * polls, so that the requests a second stay the same.
 */
export const contactListQuery = (status: ServiceStatus | null, search: string, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: keys.list(status, search, filter),
    queryFn: ({ pageParam }) => {
      const query = {
        status: status ?? undefined,
        search: search || undefined,
        ...filterQuery(filter),
        cursor: pageParam ?? undefined,
      }
      return callPage('GET /api/whatsapp/contacts', { query })
    },
    initialPageParam: null as string | null,
    staleTime: 0,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      pollingPace(polling[status ?? 'waiting']) * Math.max(1, state.data?.pages.length ?? 1),
  })

/** How many conversations stand in each tab, of all or of those that go on over this connection. */
export const countsQuery = (line: string | null) =>
  queryOptions({
    queryKey: line === null ? keys.counts : [...keys.counts, line],
    queryFn: () => call('GET /api/whatsapp/contact-counts', { query: { connectionId: line ?? undefined } }),
    refetchInterval: () => pollingPace(polling.waiting),
  })

/** Who has been waiting longest of those that the filter lets through, apart from `except`, however many wait. */
export const longestWaiting = (except: string | null, filter: ListFilter) =>
  call('GET /api/whatsapp/longest-waiting', { query: { except: except ?? undefined, ...filterQuery(filter) } })

const nullWhenGone = (error: unknown): null => {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}

/** One contact, or null when it does not exist, or not any more: what was read of it before is not to be written to. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: keys.contact(id),
    queryFn: (): Promise<Contact | null> =>
      call('GET /api/whatsapp/contacts/:id', { params: { id } }).catch(nullWhenGone),
    staleTime: 0,
    refetchInterval: () => pollingPace(polling.attending),
  })

/** Which part of a conversation: before a cursor, after one, around a message, or the latest. */
type Place = { cursor: string } | { after: string } | { around: string } | Record<string, never>

export const messagePage = (contactId: string, place: Place) =>
  callPage('GET /api/whatsapp/contacts/:id/messages', { params: { id: contactId }, query: place })

/**
 * The conversation as far as it is loaded. Every poll reads the latest page only, or, when what is in view does not reach
 * it, the page around the message that was jumped to.
 */
export const historyQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.history(contactId),
    queryFn: async ({ client, queryKey }) => {
      const anchorId = client.getQueryData<History>(queryKey)?.anchorId ?? null
      const page = await messagePage(contactId, anchorId === null ? {} : { around: anchorId })
      const loaded = client.getQueryData<History>(queryKey)
      // Somebody jumped elsewhere meanwhile.
      if (loaded && loaded.anchorId !== anchorId) return loaded
      return loaded && anchorId !== null ? withRenewed(loaded, page) : withLatestPage(loaded, page)
    },
    staleTime: 0,
    // What did not change is kept by the page, which knows the messages by their ids.
    structuralSharing: false,
    refetchInterval: () => pollingPace(polling.messages),
  })

export const markSeen = (contactId: string) =>
  call('POST /api/whatsapp/contacts/:id/seen', { params: { id: contactId } })

export const sendMessage = (body: SendMessageBody) => call('POST /api/whatsapp/send-message', { body })

/** `emoji` null takes the reaction back. */
export const react = (contactId: string, messageId: string, emoji: string | null) =>
  call('POST /api/whatsapp/contacts/:id/messages/:messageId/reaction', {
    params: { id: contactId, messageId },
    body: { emoji },
  })

/** Changes a text or caption of ours for everyone. */
export const editMessage = (contactId: string, messageId: string, message: string) =>
  call('PATCH /api/whatsapp/contacts/:id/messages/:messageId', {
    params: { id: contactId, messageId },
    body: { message },
  })

/** Takes a message of ours back for everyone. */
export const deleteMessage = (contactId: string, messageId: string) =>
  call('DELETE /api/whatsapp/contacts/:id/messages/:messageId', { params: { id: contactId, messageId } })

export const mediaPath = (mediaId: string): string =>
  addressOf('GET /api/whatsapp/media/:id', { params: { id: mediaId } })

/** The address that saves the file under this name. */
export const downloadPath = (mediaId: string, fileName: string): string =>
  addressOf('GET /api/whatsapp/media/:id', { params: { id: mediaId }, query: { download: fileName } })

export const retryMedia = (mediaId: string) => call('POST /api/whatsapp/media/:id/retry', { params: { id: mediaId } })

interface StatusChange {
  contactId: string
  status: 'attending' | 'resolved'
}

const readAgain = (client: QueryClient, contactId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.lists }),
    client.invalidateQueries({ queryKey: keys.counts }),
    client.invalidateQueries({ queryKey: keys.contact(contactId) }),
  ])

/** 'Aceitar' and 'Finalizar': on success all lists, the counts and the contact are read again. */
export const changeStatus = mutationOptions({
  mutationFn: ({ contactId, status }: StatusChange) =>
    call('PATCH /api/whatsapp/contacts/:id/status', { params: { id: contactId }, body: { status } }),
  onSuccess: (_reply, { contactId, status }, _result, { client }) => {
    client.setQueryData<Contact>(keys.contact(contactId), (contact) =>
      contact
        ? {
            ...contact,
            serviceStatus: status,
            waitingSince: null,
            ...(status === 'resolved' && { suspectedRobot: null }),
          }
        : contact,
    )
    return readAgain(client, contactId)
  },
})

/** 'Reabrir', and 'Desfazer' after 'Finalizar': attended again, by whoever asks. */
export const reopen = mutationOptions({
  mutationFn: (contactId: string) => call('POST /api/whatsapp/contacts/:id/reopen', { params: { id: contactId } }),
  onSuccess: (_reply, contactId, _result, { client }) => {
    client.setQueryData<Contact>(keys.contact(contactId), (contact) =>
      contact ? { ...contact, serviceStatus: 'attending', waitingSince: null } : contact,
    )
    return readAgain(client, contactId)
  },
})

/** 'Não é um robô': flows may start again. */
export const clearRobotSuspicion = mutationOptions({
  mutationFn: (contactId: string) => call('POST /api/whatsapp/contacts/:id/not-a-robot', { params: { id: contactId } }),
  onSuccess: (_reply, contactId, _result, { client }) => {
    client.setQueryData<Contact>(keys.contact(contactId), (contact) =>
      contact ? { ...contact, suspectedRobot: null } : contact,
    )
    return readAgain(client, contactId)
  },
})

/** Adds a Brazilian number given by its 10 or 11 digits. */
export const addContact = mutationOptions({
  mutationFn: (digits: string) => call('POST /api/whatsapp/contacts', { body: { phone: `55${digits}` } }),
  onSuccess: (_added, _digits, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.lists }),
      client.invalidateQueries({ queryKey: keys.counts }),
    ]),
})

/** Takes a merge back: the contact that stood behind this one stands for itself again. */
export const separateContact = mutationOptions({
  mutationFn: ({ contactId, mergedId }: { contactId: string; mergedId: string }) =>
    call('POST /api/whatsapp/contacts/:id/separate', { params: { id: contactId }, body: { contactId: mergedId } }),
  onSuccess: (_reply, _variables, _result, { client }) => client.invalidateQueries({ queryKey: keys.all }),
})

/** Erases everything personal about a contact, for good. */
export const eraseContact = mutationOptions({
  mutationFn: (contactId: string) => call('DELETE /api/whatsapp/contacts/:id', { params: { id: contactId } }),
  onSuccess: (_reply, _contactId, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.lists }),
      client.invalidateQueries({ queryKey: keys.counts }),
    ]),
})
