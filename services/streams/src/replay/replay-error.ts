/** Its message is a Portuguese sentence for whoever runs the command. */
export class ReplayError extends Error {
  override name = 'ReplayError'
}

/** The command line does not fit. */
export class UsageError extends ReplayError {
  override name = 'UsageError'
}
