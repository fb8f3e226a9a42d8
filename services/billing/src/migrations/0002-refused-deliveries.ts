import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Per hour ('2026-11-25T12', UTC); address '' collects the rest. Rows are deleted after 30 days. */
export const refusedDeliveries = sqlMigration(
  '0002_refused_deliveries',
  `create table if not exists refused_delivery (
     hour text collate "C" not null,
     endpoint text collate "C" not null,
     reason text collate "C" not null,
     address text collate "C" not null,
     count bigint not null,
     last_at text collate "C" not null,
     primary key (hour, endpoint, reason, address)
   )`,
)
