import { sqlMigration } from '../postgres/migrations.ts'

/**
 * `signing_key.encrypted`: the private JWK, by the installation key. `ended_session.id`: as in tokens and events, not a token's hash. A
 * trigger, so that no way of ending a session can forget it.
 */
export const sessionTokens = sqlMigration(
  '0006_session_tokens',
  `create table if not exists signing_key (
     kid text collate "C" primary key,
     public_jwk jsonb not null,
     encrypted bytea not null,
     signs_from timestamptz not null
   );
   create table if not exists ended_session (
     id text collate "C" primary key,
     ended_at timestamptz not null default now()
   );
   create index if not exists ended_session_at on ended_session (ended_at);
   create or replace function note_ended_session() returns trigger language plpgsql as $$
   declare
     session_id text := encode(sha256(convert_to('id ' || encode(old.token_hash, 'hex'), 'UTF8')), 'hex');
   begin
     insert into ended_session (id) values (session_id) on conflict do nothing;
     perform pg_notify('prosa_session_ended', session_id);
     return null;
   end $$;
   create or replace trigger note_ended_session after delete on browser_session
     for each row execute function note_ended_session()`,
)
