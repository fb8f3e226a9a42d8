import { exitCodes, runReplay } from './run-replay.ts'

/** `npm run replay -- --help`. The first signal ends it at a place to go on from, the second at once. */
const stopping = new AbortController()
const stop = () => {
  if (stopping.signal.aborted) process.exit(exitCodes.interrupted)
  stopping.abort()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

const { env, stdout, stderr } = process
// npm runs scripts in the repository's folder, and names where it was called.
const cwd = env.INIT_CWD || process.cwd()
process.exit(await runReplay(process.argv.slice(2), { env, cwd, stdout, stderr }, stopping.signal))
