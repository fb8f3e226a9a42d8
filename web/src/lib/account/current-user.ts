import type { User } from '@prosa/contracts/http/accounts/auth'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { accountOfPersonalStorage, claimPersonalStorage, forgetPersonalStorage } from '../browser/personal-storage.ts'
import { call } from '../http/call.ts'
import { ApiProblem, forgetReplies } from '../http/http.ts'

const fetchUser = async (): Promise<User | null> => {
  try {
    const user = await call('GET /api/auth/user')
    claimPersonalStorage(user.id)
    return user
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/** Null when nobody is signed in. Fresh for five minutes. */
export const currentUserQuery = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: fetchUser,
  staleTime: 300_000,
})

/** Undefined only while it loads. */
export const useCurrentUser = (): User | undefined => useQuery(currentUserQuery).data ?? undefined

/** Undefined: signed in, identity not known yet. Unsent text stays for a user whose session only ended; all else is cleared. */
export const becomeUser = (queries: QueryClient, user: User | null | undefined): void => {
  // A 401 of another call may have cleared the user before.
  const known = queries.getQueryData(currentUserQuery.queryKey)?.id ?? accountOfPersonalStorage()
  if (!user || known !== user.id) forgetPersonalStorage()
  if (user) claimPersonalStorage(user.id)
  forgetReplies()
  if (user === undefined) void queries.resetQueries(currentUserQuery)
  else queries.setQueryData(currentUserQuery.queryKey, user)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentUserQuery.queryKey[0] })
}
