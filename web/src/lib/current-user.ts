import type { User } from '@prosa/contracts/http/auth'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import { ApiProblem, forgetReplies } from './http.ts'
import { claimPersonalStorage, forgetPersonalStorage, ownerOfPersonalStorage } from './personal-storage.ts'

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

/** Who is signed in; null when nobody is. Fresh for five minutes. */
export const currentUserQuery = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: fetchUser,
  staleTime: 300_000,
})

/** The signed-in user, for screens behind the sign-in. Undefined only while it loads. */
export const useCurrentUser = (): User | undefined => useQuery(currentUserQuery).data ?? undefined

/**
 * From here on somebody is signed in, or nobody (null); undefined: somebody, and who that is will be asked until it is known.
 * What was read before belonged to somebody else and is forgotten; what they wrote waits for whoever's session only ended.
 */
export const becomeUser = (queries: QueryClient, user: User | null | undefined): void => {
  // The answer to some other call may have shown first that nobody is signed in.
  const known = queries.getQueryData(currentUserQuery.queryKey)?.id ?? ownerOfPersonalStorage()
  if (!user || known !== user.id) forgetPersonalStorage()
  if (user) claimPersonalStorage(user.id)
  forgetReplies()
  if (user === undefined) void queries.resetQueries(currentUserQuery)
  else queries.setQueryData(currentUserQuery.queryKey, user)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentUserQuery.queryKey[0] })
}
