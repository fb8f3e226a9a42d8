import { endOfLife } from './end-of-life.mjs'

export const command = async (work) => {
  try {
    process.exit((await work()) ?? 0)
  } catch (error) {
    if (!endOfLife.aborted) console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
