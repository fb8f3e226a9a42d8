import { endOfLife } from './end-of-life.mjs'

/** Runs a command of ours: ends this process with the exit code that `work` resolves with, or prints one line about what went wrong. */
export const command = async (work) => {
  try {
    process.exit((await work()) ?? 0)
  } catch (error) {
    if (!endOfLife.aborted) console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
