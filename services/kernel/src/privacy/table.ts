/**
 * Keys of the house itself, wrapped by the master key. They are made once and never change, so what was sealed and
 * fingerprinted with them stays as it is when the master secret is changed.
 */
export const houseKeySchema = `
  create table if not exists house_key (
    purpose text primary key,
    wrapped bytea not null,
    master text not null
  )`

/**
 * The keys that lock personal data, one current for each subject, wrapped by the master key. An erased key keeps its row
 * without the key: a tombstone, so that what it locked is known to be erased and not lost.
 */
export const subjectKeySchema = `
  create table if not exists subject_key (
    id uuid primary key,
    subject text collate "C" not null,
    wrapped bytea,
    master text collate "C",
    created_at timestamptz not null default now(),
    erased_at timestamptz,
    check ((wrapped is null) = (erased_at is not null) and (wrapped is null) = (master is null))
  );
  create unique index if not exists subject_key_current on subject_key (subject) where wrapped is not null;
  create index if not exists subject_key_master on subject_key (master, id) where wrapped is not null`

/** Announces that keys were erased: whoever remembers keys forgets all of them. */
export const erasedChannel = 'prosa_subject_erased'

export const houseKeyLock = 724_004
