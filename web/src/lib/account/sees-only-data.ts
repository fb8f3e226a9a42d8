import { useCurrentUser } from './current-user.ts'

/** An analyst who administers nothing. */
export const useSeesOnlyData = (): boolean => {
  const roles = useCurrentUser()?.roles ?? []
  return roles.includes('analyst') && !roles.includes('admin')
}
