/**
 * Secrets of WhatsApp lines, sealed. `generation` is that of the connection's stream: a row of an older one belongs to a
 * number that was given up. Ids of keys hold phone numbers, so only their fingerprints are kept.
 */
export const credentialSchema = `
  create table if not exists whatsapp_credentials (
    connection_id uuid primary key,
    generation int not null,
    sealed bytea
  );
  create table if not exists whatsapp_key (
    connection_id uuid not null references whatsapp_credentials on delete cascade,
    type text not null,
    id_fingerprint bytea not null,
    sealed bytea not null,
    primary key (connection_id, type, id_fingerprint)
  )`
