/**
 * States as they stood at a revision of their stream, and the entries of those that grow with it. All of it can be thrown away: it is
 * folded again from the log. `lineage` changes with every fold from the beginning, so entries of two folds are never mixed.
 * `subject_key` is the key that seals, null where nothing personal is in it.
 */
export const snapshotSchema = `
  create table if not exists stream_snapshot (
    stream text collate "C" not null,
    decider text collate "C" not null,
    fold_version int not null,
    revision bigint not null,
    lineage uuid not null,
    subject_key uuid not null,
    state bytea not null,
    saved_at timestamptz not null default now(),
    primary key (stream, decider, fold_version, revision)
  );
  create table if not exists stream_entry (
    lineage uuid not null,
    key text collate "C" not null,
    value bytea not null,
    subject_key uuid,
    primary key (lineage, key)
  )`
