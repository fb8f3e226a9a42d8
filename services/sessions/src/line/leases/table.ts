/** A statement's part that is true while the lease of connection $1 has this token; a new holder has to wait for its end. */
export const leaseIsHeld = (token: string) =>
  `select from connection_lease where connection_id = $1 and token = ${token} for share`

/** The same for statements that may also come from outside any line, without a token: those are not held back. */
export const mayAct = (token: string) =>
  `(${token}::bigint is null or exists (
     select from connection_lease where connection_id = $1 and token = ${token}::bigint))`
