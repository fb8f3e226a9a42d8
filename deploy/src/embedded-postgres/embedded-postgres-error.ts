/** The embedded PostgreSQL cannot run; the message is a whole sentence for whoever started Prosa. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}
