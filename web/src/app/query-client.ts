import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { currentUserQuery } from '../lib/account/current-user.ts'
import { ApiProblem } from '../lib/http/http.ts'

/** Specification, 7: nothing becomes stale or retries by itself. A 401 of any call signs the user out. */
export const createQueryClient = (): QueryClient => {
  const signOutOn401 = (error: Error) => {
    if (error instanceof ApiProblem && error.status === 401 && error.type !== 'wrong_credentials')
      client.setQueryData(currentUserQuery.queryKey, null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: signOutOn401 }),
    mutationCache: new MutationCache({ onError: signOutOn401 }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
