/** The message is a whole sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError'
}
