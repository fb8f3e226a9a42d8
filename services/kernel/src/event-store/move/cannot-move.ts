/** Nothing was lost: the database still belongs to the log that it had. The message is one sentence for who moves the log. */
export class CannotMove extends Error {
  override name = 'CannotMove'
}
