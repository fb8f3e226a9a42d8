import { EmbeddedPostgresError } from '@prosa/kernel/postgres/embedded-postgres-error'
import { ConfigError } from './config.ts'

/** Runs a process's main work and ends the process: what a person can mend is said in one sentence, the rest in full. */
export const orExplain = async (work: () => Promise<void>): Promise<never> => {
  try {
    await work()
    process.exit(0)
  } catch (error) {
    const sentence = error instanceof EmbeddedPostgresError || error instanceof ConfigError || isPortTaken(error)
    process.stderr.write(`${sentence && error instanceof Error ? explain(error) : fullText(error)}\n`)
    process.exit(1)
  }
}

const isPortTaken = (error: unknown): error is Error & { port: number } =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

const explain = (error: Error): string =>
  isPortTaken(error)
    ? `Port ${error.port} is taken: is Prosa running already? Otherwise choose another with PROSA_PORT=3001.`
    : error.message

const fullText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
