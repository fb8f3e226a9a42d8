import { sqlMigration } from '../postgres/migrations.ts'

/**
 * What each tenant has spent of its budgets, by kind and day of São Paulo ('2026-11-25'; '' for what is never given back).
 *
 * The drafts of flows, sealed with the key of their account: the log names the one that counts by revision and digest, the others
 * are superseded. `is_confirmed` is false while the log may not name it yet. Drafts of before stand in the log itself. Saved states of
 * before hold whole drafts, and would stay until their flow has many events more.
 */
export const tenantBudgets = sqlMigration(
  '0004_tenant_budgets',
  `create table if not exists tenant_spending (
     owner text collate "C" not null,
     kind text collate "C" not null,
     day text collate "C" not null,
     amount bigint not null,
     primary key (owner, kind, day)
   );
   create index if not exists tenant_spending_day on tenant_spending (day) where day <> '';
   create table if not exists draft (
     id uuid not null,
     revision int not null,
     digest text collate "C" not null,
     owner text collate "C" not null,
     bytes int not null,
     subject_key uuid not null,
     document bytea not null,
     is_confirmed boolean not null default false,
     kept_at timestamptz not null default now(),
     primary key (id, revision, digest)
   );
   create index if not exists draft_owner on draft (owner) include (id, bytes);
   create index if not exists draft_unconfirmed on draft (kept_at) where not is_confirmed;
   delete from stream_snapshot where decider = 'flow' and fold_version < 2`,
)
