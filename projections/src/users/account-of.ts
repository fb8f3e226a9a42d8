/** All null after erasure. */
export interface AccountShown {
  accountId: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
}

export const accountOf = ({ accountId, firstName, lastName, email }: AccountShown) =>
  accountId === null ? null : { id: accountId, name: `${firstName} ${lastName}`, email: email ?? '' }
