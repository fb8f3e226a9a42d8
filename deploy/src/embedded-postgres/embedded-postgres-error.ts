/** The message is a whole sentence for the user. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}
