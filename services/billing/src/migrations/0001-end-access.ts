import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Access has one end, whatever gives it: the timers that ended trials are those that end access now. */
export const endAccess = sqlMigration(
  '0001_end_access',
  `update timer set kind = 'end-access' where kind = 'end-trial'`,
  `update timer_kind set kind = 'end-access' where kind = 'end-trial'`,
  `update checkpoint set name = 'timers end-access' where name = 'timers end-trial'`,
)
