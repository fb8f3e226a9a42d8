import { sqlMigration } from '../postgres/migrations.ts'

/**
 * `day`: of São Paulo ('2026-11-25'), or '' for permanent sums.
 * Drafts are encrypted with the account's key. `is_confirmed`: an event names the draft. Older drafts stay in the log. Older snapshots of
 * flows contain whole drafts and are deleted.
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
