import { EmbeddedPostgresError } from '@prosa/kernel/postgres/embedded-postgres-error'
import { WrongMasterSecret } from '@prosa/kernel/privacy/master-keys'
import { ConfigError } from './config.ts'
import { DrainCutShort, PartEnded } from './run.ts'

/** Runs a process's main work and ends the process: what a person can mend is said in one sentence, the rest in full. */
export const orExplain = async (work: () => Promise<void>): Promise<never> => {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

const isPortTaken = (error: unknown): error is Error & { port: number } =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** What a person reads: a sentence where there is one that helps, otherwise the whole error. */
export const explain = (error: unknown): string => {
  if (isPortTaken(error))
    return `Port ${error.port} is taken: is Prosa running already? Otherwise choose another with PROSA_PORT=3001.`
  if (error instanceof WrongMasterSecret)
    return (
      `The master secret does not open this database (${error.message}), so nothing was read or changed: set PROSA_SECRET, ` +
      "or the file 'secret' in the data folder, to the one that the data was made with; if it was changed since, name the " +
      'earlier one in PROSA_OLD_SECRETS.'
    )
  const isSentence = [EmbeddedPostgresError, ConfigError, DrainCutShort, PartEnded].some(
    (kind) => error instanceof kind,
  )
  if (isSentence && error instanceof Error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
