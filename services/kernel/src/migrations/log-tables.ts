import { sqlMigration } from '../postgres/migrations.ts'

/** One row: the log that this database belongs to. `is_confirmed`: the log bears the id. */
export const logIdentity = sqlMigration(
  '0005_log_identity',
  `create table if not exists log_identity (
     is_only boolean primary key default true check (is_only),
     log_id uuid not null,
     address text not null,
     is_confirmed boolean not null
   )`,
)

/** The hash chain over the log. `after` and `up_to` are positions of the log `log_id`: a moved log begins a chain of its own. */
export const logBlocks = sqlMigration(
  '0008_log_blocks',
  `create table if not exists log_block (
     log_id uuid not null,
     number integer not null,
     day text collate "C" not null,
     after text collate "C" not null,
     up_to text collate "C" not null,
     events integer not null,
     sha256 text collate "C" not null,
     head text collate "C" not null,
     primary key (log_id, number)
   )`,
)

/** Times of stretches of the log, which do not follow its order: clocks differ. Can be built anew. */
export const logTimeTable = sqlMigration(
  '0007_log_times',
  `create table if not exists log_time (
     after_position text collate "C" primary key,
     up_to text collate "C" not null unique,
     earliest timestamptz not null,
     latest timestamptz not null
   );
   create index if not exists log_time_range on log_time using gist (tstzrange(earliest, latest, '[]'))`,
)
