import { sqlMigration } from '../postgres/migrations.ts'

/** `request`: `requested`, `built` (rows swapped in), `recorded` (in the log too). */
export const readModels = sqlMigration(
  '0003_read_models',
  `create table if not exists read_model (
    name text collate "C" primary key,
    rebuild_id uuid,
    event_id uuid,
    correlation_id text,
    request text check (request in ('requested', 'built', 'recorded')),
    requested_at timestamptz,
    built_at timestamptz,
    began_at timestamptz,
    began_done bigint,
    done bigint,
    total bigint,
    reported_at timestamptz
  )`,
)
