import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Each send checks in constant time for earlier messages to the contact. */
export const sentTo = sqlMigration(
  '0002_sent_to',
  `create index outbox_sent_to on outbox (contact_id, connection_id, position) where state = 'dispatched'`,
)
