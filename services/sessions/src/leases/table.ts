/** SQL: true while the lease of connection $1 has this token; locks it against a new holder. */
export const leaseIsHeld = (token: string) =>
  `select from connection_lease where connection_id = $1 and token = ${token} for share`

/** Also allows a null token, for statements outside a lease. */
export const mayAct = (token: string) =>
  `(${token}::bigint is null or exists (
     select from connection_lease where connection_id = $1 and token = ${token}::bigint))`
