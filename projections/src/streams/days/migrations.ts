import { type MigrationSet, sqlMigration } from '@prosa/kernel/postgres/migrations'

/**
 * Files of closed days. `reader`: a tenant, or 'platform'. A row is `making` before its events are read, so that whoever finds it out of date
 * can drop it then already; `dropped` until its files are deleted.
 */
const days = sqlMigration(
  '0001_days',
  `create table if not exists stream_day (
     id uuid primary key,
     reader text collate "C" not null,
     day text collate "C" not null,
     contract text collate "C" not null,
     status text collate "C" not null check (status in ('making', 'ready', 'dropped')),
     touched_at timestamptz not null default now()
   );
   create unique index if not exists stream_day_of on stream_day (reader, day) where status <> 'dropped';
   create index if not exists stream_day_dropped on stream_day (id) where status = 'dropped';
   create table if not exists stream_day_file (
     day_id uuid not null references stream_day (id) on delete cascade,
     type text collate "C" not null,
     events bigint not null,
     bytes bigint not null,
     sha256 text collate "C" not null,
     primary key (day_id, type)
   )`,
)

export const streamMigrations: MigrationSet = { package: 'projections', migrations: [days] }
