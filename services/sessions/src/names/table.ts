/** Which of a tenant's connections have a name. Names are personal: only their fingerprints are kept. */
export const connectionNameSchema = `
  create table if not exists connection_name (
    connection_id uuid primary key,
    owner text not null,
    name_fingerprint text not null,
    position text collate "C" not null
  );
  create index if not exists connection_name_name on connection_name (owner, name_fingerprint, position)`
