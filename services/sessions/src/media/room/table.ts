/**
 * `kept_files` is the sum of `media_file.bytes` for each tenant: triggers keep it, because files come and go in many
 * statements and the sum over all rows would be slow. `incoming_file` is what comes in: `bytes` are reserved until
 * `held_until`; once an upload has ended they are what came, and `held_until` is null. Uploads stay for a day.
 */
export const roomSchema = `
  create table if not exists kept_files (
    owner text primary key,
    bytes bigint not null default 0
  );
  create table if not exists incoming_file (
    id uuid primary key,
    owner text not null,
    is_upload boolean not null,
    began_at timestamptz not null,
    bytes bigint not null,
    held_until timestamptz
  );
  create index if not exists incoming_file_owner on incoming_file (owner, began_at);
  create index if not exists incoming_file_began on incoming_file (began_at);
  create or replace function count_kept_files() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into kept_files as kept (owner, bytes)
        select owner, sum(bytes) from new_rows where bytes > 0 group by owner order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    elsif tg_op = 'DELETE' then
      insert into kept_files as kept (owner, bytes)
        select owner, -sum(bytes) from old_rows where bytes > 0 group by owner order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    else
      insert into kept_files as kept (owner, bytes)
        select owner, sum(change) from (
          select owner, coalesce(bytes, 0) as change from new_rows
          union all
          select owner, -coalesce(bytes, 0) from old_rows
        ) as changes group by owner having sum(change) <> 0 order by owner
        on conflict (owner) do update set bytes = kept.bytes + excluded.bytes;
    end if;
    return null;
  end $$;
  create or replace trigger kept_files_inserted after insert on media_file
    referencing new table as new_rows for each statement execute function count_kept_files();
  create or replace trigger kept_files_deleted after delete on media_file
    referencing old table as old_rows for each statement execute function count_kept_files();
  create or replace trigger kept_files_changed after update on media_file
    referencing old table as old_rows new table as new_rows for each statement execute function count_kept_files()`
