/**
 * The connections that a tenant has, for its budgets: as the log says up to `position`, and `reserved_until` while a command is
 * under way that would add the connection or begin to link it. Can be dropped, and is read anew from the log.
 */
export const connectionPlaceSchema = `
  create table if not exists connection_place (
    connection_id uuid primary key,
    owner text not null,
    linking_until timestamptz,
    position text collate "C" not null default '',
    reserved_until timestamptz
  );
  create index if not exists connection_place_owner on connection_place (owner)`
