import { WrongLog } from '../event-store/identity/recognize-log.ts'
import { DatabaseIsNewer, MigrationFailed } from '../postgres/migrations.ts'
import { WrongMasterSecret } from '../privacy/master-keys.ts'
import { ConfigError } from './config-error.ts'
import { DrainCutShort, PartEnded } from './run-until-stopped.ts'

type Sentence = new (...args: never[]) => Error

/** Prints one sentence for errors that a person can fix, else all. `sentences`: further such errors. */
export const orExplain = async (work: () => Promise<void>, sentences: readonly Sentence[] = []): Promise<never> => {
  try {
    await work()
    // With the exit code that the work has set.
    process.exit()
  } catch (error) {
    process.stderr.write(`${explain(error, sentences)}\n`)
    process.exit(1)
  }
}

const isPortTaken = (error: unknown): error is Error & { port: number } =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

export const explain = (error: unknown, sentences: readonly Sentence[] = []): string => {
  if (isPortTaken(error))
    return `Port ${error.port} is taken: is Prosa running already? Otherwise choose another with PROSA_PORT=3001.`
  if (error instanceof WrongMasterSecret)
    return (
      `The master secret does not open this database (${error.message}), so nothing was read or changed: set PROSA_SECRET, ` +
      "or the file 'secret' in the data folder, to the one that the data was made with; if it was changed since, name the " +
      'earlier one in PROSA_OLD_SECRETS.'
    )
  if (error instanceof MigrationFailed) return `${error.message}.\n${explain(error.cause, sentences)}`
  const isSentence = [ConfigError, DatabaseIsNewer, DrainCutShort, PartEnded, WrongLog, ...sentences].some(
    (kind) => error instanceof kind,
  )
  if (isSentence && error instanceof Error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
