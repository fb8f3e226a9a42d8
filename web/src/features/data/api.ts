import type { PublishedStream } from '@prosa/contracts/http/streams'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/http/call.ts'
import { ApiProblem, request } from '../../lib/http/http.ts'

/** Does not change while Prosa runs. */
export const catalogueQuery = queryOptions({
  queryKey: ['streams', 'catalogue'],
  queryFn: ({ signal }) => call('GET /api/streams', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

type Column = Omit<PublishedStream['fields'][number], 'isOptional'> & {
  isNullable: boolean
  /** Published events that it comes from. */
  from: string[]
}

export interface ReadyTable {
  name: string
  sentence: string
  /** '2026-11-27' */
  since: string
  columns: Column[]
  example: Record<string, unknown>
}

/** None from a server without them. */
export const tablesQuery = queryOptions({
  queryKey: ['streams', 'tables'],
  queryFn: async ({ signal }): Promise<ReadyTable[]> => {
    try {
      return (await request('GET', '/api/streams/tables', undefined, signal)) as ReadyTable[]
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return []
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})
