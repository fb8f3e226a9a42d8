/** Measures memory in its own process. Arguments: folder, ordinary picture, repetitions, concurrency. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from '@prosa/kernel/http/problem'
import { squaresOf } from '../photo/squares.ts'

const [folder = '', ordinary = '', rounds = '', atOnceCount = ''] = process.argv.slice(2)

const outcomeOf = async (name: string): Promise<string> => {
  try {
    await squaresOf(await readFile(join(folder, name)))
    return 'squares'
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
const memory = () => ({
  resident: megabytes(process.memoryUsage.rss()),
  peak: megabytes(process.resourceUsage().maxRSS * 1024),
})

const main = async () => {
  await outcomeOf(ordinary)
  const names = await readdir(folder)
  const before = memory()
  const outcomes: Record<string, string> = {}
  for (const name of names) outcomes[name] = await outcomeOf(name)
  for (let round = 1; round < Number(rounds); round++) for (const name of names) await outcomeOf(name)
  const atOnce = await Promise.all(Array.from({ length: Number(atOnceCount) }, () => outcomeOf(ordinary)))
  process.stdout.write(
    JSON.stringify({
      before,
      after: memory(),
      outcomes,
      atOnce,
      pictures: names.length * Number(rounds) + atOnce.length,
    }),
  )
}
await main()
