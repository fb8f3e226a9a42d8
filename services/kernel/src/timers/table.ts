/**
 * What is to happen and when. `try_at` is `due_at` until a try has failed. Rows follow from the log and are written with the
 * checkpoint `timers <kind>`; a kind fires only once its rows have caught up with the log (`is_live`).
 */
export const timerSchema = `
  create table if not exists timer (
    kind text not null,
    key text collate "C" not null,
    due_at timestamptz not null,
    payload jsonb not null,
    owner text,
    event_id uuid not null,
    correlation_id text not null,
    try_at timestamptz not null,
    attempts int not null default 0,
    is_parked boolean not null default false,
    work_id uuid,
    primary key (kind, key)
  );
  create index if not exists timer_due on timer (try_at) where not is_parked;
  create index if not exists timer_work on timer (work_id) where work_id is not null;
  create table if not exists timer_kind (
    kind text primary key,
    is_live boolean not null
  )`

/** Announces that timers were set. */
export const timerChannel = 'prosa_timer'
