import type { Queue } from '@prosa/contracts/http/live-chat'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { staysMs } from '../../../components/past/api.ts'
import { call, callPage } from '../../../lib/http/call.ts'

const settled = { staleTime: staysMs, placeholderData: keepPreviousData } as const
const key = (...parts: unknown[]) => ['live-chat-past', ...parts] as const

export const marksQuery = (em: string, contactId: string | null) =>
  queryOptions({
    ...settled,
    queryKey: key('marks', em, contactId),
    queryFn: ({ signal }) => call('GET /api/moments', { query: { em, contactId: contactId ?? undefined }, signal }),
  })

export const changesQuery = (em: string) =>
  queryOptions({
    staleTime: 0,
    queryKey: key('changes', em),
    queryFn: ({ signal }) => call('GET /api/moments/changes', { query: { em }, signal }),
  })

export const countsThenQuery = (em: string) =>
  queryOptions({
    ...settled,
    queryKey: key('counts', em),
    queryFn: ({ signal }) => call('GET /api/whatsapp/contact-counts', { query: { em }, signal }),
  })

export const contactsThenQuery = (em: string, queue: Queue) =>
  infiniteQueryOptions({
    staleTime: settled.staleTime,
    queryKey: key('contacts', em, queue),
    queryFn: ({ pageParam, signal }) =>
      callPage('GET /api/whatsapp/contacts', { query: { em, status: queue, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const contactThenQuery = (em: string, id: string) =>
  queryOptions({
    staleTime: settled.staleTime,
    queryKey: key('contact', em, id),
    queryFn: ({ signal }) => call('GET /api/whatsapp/contacts/:id', { params: { id }, query: { em }, signal }),
  })

export const messagesThenQuery = (em: string, id: string) =>
  infiniteQueryOptions({
    staleTime: settled.staleTime,
    queryKey: key('messages', em, id),
    queryFn: ({ pageParam, signal }) =>
      callPage('GET /api/whatsapp/contacts/:id/messages', {
        params: { id },
        query: { em, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
