import type { PastRecord } from '@prosa/contracts/http/past/past-records'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'

/** Erasures alone change what a past moment shows. */
export const staysMs = 60_000

/** Of a moment that is refused, why. */
export const sentenceOfPast = (error: unknown, fallback: string): string =>
  (error instanceof ApiProblem && error.errors[0]?.message) || sentenceOf(error, fallback)

/** `asAdmin`: of any account, as a reading. A tenant's kinds are refused by the server otherwise. */
export const recordThenQuery = ({ kind, id }: PastRecord, em: string, asAdmin: boolean) =>
  queryOptions({
    queryKey: ['record-then', asAdmin, kind, id, em],
    queryFn: ({ signal }) =>
      asAdmin
        ? call('GET /api/admin/records/:kind/:id', { params: { kind, id }, query: { em }, signal })
        : call('GET /api/records/:kind/:id', { params: { kind: kind as never, id }, query: { em }, signal }),
    staleTime: staysMs,
    placeholderData: keepPreviousData,
    retry: false,
  })
