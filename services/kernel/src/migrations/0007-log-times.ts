import { sqlMigration } from '../postgres/migrations.ts'

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
