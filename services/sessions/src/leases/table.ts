/**
 * One row for each connection that was not removed, held by at most one process at a time. A token is never given out twice
 * and only grows; a row whose time is over, by the database's clock, is free for anybody. `holder_process` lets other processes of the
 * same machine see that the holder is dead.
 */
export const leaseSchema = `
  create sequence if not exists connection_lease_token;
  create table if not exists connection_lease (
    connection_id uuid primary key,
    holder uuid,
    token bigint not null default 0,
    expires_at timestamptz not null default '-infinity'
  );
  alter table connection_lease add column if not exists holder_process text;
  create index if not exists connection_lease_expires_at on connection_lease (expires_at);
  insert into connection_lease (connection_id) select connection_id from whatsapp_credentials on conflict do nothing`

/** A statement's part that is true while the lease of connection $1 has this token; a new holder has to wait for its end. */
export const leaseIsHeld = (token: string) =>
  `select from connection_lease where connection_id = $1 and token = ${token} for share`

/** The same for statements that may also come from outside any line, without a token: those are not held back. */
export const mayAct = (token: string) =>
  `(${token}::bigint is null or exists (
     select from connection_lease where connection_id = $1 and token = ${token}::bigint))`
