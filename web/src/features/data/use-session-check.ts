import { useQueryClient } from '@tanstack/react-query'
import { currentUserQuery } from '../../lib/account/current-user.ts'
import { ApiProblem } from '../../lib/http/http.ts'

/** A reading outside react-query that was refused as a visitor's: the page finds out whether the session has ended. */
export const useSessionCheck = () => {
  const queries = useQueryClient()
  return (error: unknown): void => {
    if (error instanceof ApiProblem && error.status === 401) void queries.invalidateQueries(currentUserQuery)
  }
}
