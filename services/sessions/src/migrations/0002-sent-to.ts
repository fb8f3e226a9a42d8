import { sqlMigration } from '@prosa/kernel/postgres/migrations'

/** Before each message is sent it is asked whether anything went to its contact over this connection: one look, however much there is. */
export const sentTo = sqlMigration(
  '0002_sent_to',
  `create index outbox_sent_to on outbox (contact_id, connection_id, position) where state = 'dispatched'`,
)
