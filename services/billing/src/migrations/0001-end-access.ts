import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Former trial timers end access of any kind. */
export const endAccess = sqlMigration(
  '0001_end_access',
  `update timer set kind = 'end-access' where kind = 'end-trial'`,
  `update timer_kind set kind = 'end-access' where kind = 'end-trial'`,
  `update checkpoint set name = 'timers end-access' where name = 'timers end-trial'`,
)
