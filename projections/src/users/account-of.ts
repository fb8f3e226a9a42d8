/** Of an outer join with `listed_user`: all null where the account was erased. */
export interface AccountShown {
  accountId: string | null
  firstName: string | null
  lastName: string | null
  email: string | null
}

/** Whose something is, as lists of administrators show it. */
export const accountOf = ({ accountId, firstName, lastName, email }: AccountShown) =>
  accountId === null ? null : { id: accountId, name: `${firstName} ${lastName}`, email: email ?? '' }
