import type { User } from '@prosa/contracts/http/accounts/auth'
import { useCurrentUser } from './current-user.ts'

/** An analyst who administers nothing. */
export const seesOnlyData = (user: User | null | undefined): boolean =>
  user?.roles.includes('analyst') === true && !user.roles.includes('admin')

export const useSeesOnlyData = (): boolean => seesOnlyData(useCurrentUser())
