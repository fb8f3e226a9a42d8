import type { Contact, ContactAdded, ContactCounts, Message, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { getPage, request } from '../../lib/http.ts'
import { type History, withLatestPage } from './history-page.ts'

/** Specification, 9, in milliseconds: the fallback when the socket says nothing. */
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
  list: (status: ServiceStatus, search: string) => ['live-chat', 'contacts', status, search],
  counts: ['live-chat', 'counts'],
  contact: (id: string) => ['live-chat', 'contact', id],
  history: (id: string) => ['live-chat', 'history', id],
} as const

const contactsPath = '/api/whatsapp/contacts'

const query = (parameters: Record<string, string | null>): string => {
  const filled = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return filled.length === 0 ? '' : `?${new URLSearchParams(filled)}`
}

/** The list of one tab. The more pages are open, the slower it polls, so that the requests a second stay the same. */
export const contactListQuery = (status: ServiceStatus, search: string) =>
  infiniteQueryOptions({
    queryKey: keys.list(status, search),
    queryFn: ({ pageParam }) => getPage<Contact>(contactsPath + query({ status, search, cursor: pageParam })),
    initialPageParam: null as string | null,
    staleTime: 0,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => polling[status] * Math.max(1, state.data?.pages.length ?? 1),
  })

export const contactCountsQuery = queryOptions({
  queryKey: keys.counts,
  queryFn: () => request<ContactCounts>('GET', '/api/whatsapp/contact-counts'),
  refetchInterval: polling.waiting,
})

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: keys.contact(id),
    queryFn: () => request<Contact>('GET', `${contactsPath}/${id}`),
    staleTime: 0,
    refetchInterval: polling.attending,
  })

/** The conversation as far as it is loaded; every poll reads the latest page only. */
export const historyQuery = (contactId: string) =>
  queryOptions({
    queryKey: keys.history(contactId),
    queryFn: async ({ client, queryKey }) => {
      const page = await messagePage(contactId, null)
      return withLatestPage(client.getQueryData<History>(queryKey), page)
    },
    staleTime: 0,
    refetchInterval: polling.messages,
  })

export const messagePage = (contactId: string, cursor: string | null) =>
  getPage<Message>(`${contactsPath}/${contactId}/messages${query({ cursor })}`)

export const markSeen = (contactId: string) => request('POST', `${contactsPath}/${contactId}/seen`)

interface OutgoingRequest {
  connectionId: string
  contactId: string
  message: string
  messageId: string
}

export const sendMessage = (body: OutgoingRequest) => request('POST', '/api/whatsapp/send-message', body)

interface StatusChange {
  contactId: string
  status: 'attending' | 'resolved'
}

/** 'Aceitar' and 'Finalizar': on success all lists, the counts and the contact are read again. */
export const changeStatus = mutationOptions({
  mutationFn: ({ contactId, status }: StatusChange) =>
    request('PATCH', `${contactsPath}/${contactId}/status`, { status }),
  onSuccess: (_reply, { contactId, status }, _result, { client }) => {
    client.setQueryData<Contact>(keys.contact(contactId), (contact) =>
      contact ? { ...contact, serviceStatus: status, waitingSince: null } : contact,
    )
    return Promise.all([
      client.invalidateQueries({ queryKey: keys.lists }),
      client.invalidateQueries({ queryKey: keys.counts }),
      client.invalidateQueries({ queryKey: keys.contact(contactId) }),
    ])
  },
})

/** Adds a Brazilian number given by its 10 or 11 digits. */
export const addContact = mutationOptions({
  mutationFn: (digits: string) => request<ContactAdded>('POST', contactsPath, { phone: `55${digits}` }),
  onSuccess: (_added, _digits, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.lists }),
      client.invalidateQueries({ queryKey: keys.counts }),
    ]),
})
