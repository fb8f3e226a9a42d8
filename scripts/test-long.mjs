import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutationRound } from './mutations/mutation-round.mjs'
import { inRoot } from './root.mjs'
import { command } from './running/command.mjs'
import { endOfLife } from './running/end-of-life.mjs'
import { runCommand } from './running/run-command.mjs'
import { setup } from './setup.mjs'

/** Their long form is in the contract suite, or they have no short one (`vitest.config.ts`). */
const alsoLong = [
  'services/kernel/src/event-store/memory.test.ts',
  'services/kernel/src/event-store/postgres.test.ts',
  'deploy/browser/cluster.test.ts',
  'deploy/browser/full-storage.test.ts',
]

/** They run one after the other. */
const longTests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: inRoot(), encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => alsoLong.includes(path) || /\/long-(form|walk)(\.ts)?'/.test(readFileSync(inRoot(path), 'utf8')))

/** The main job, live chat, flows, administration with payments, and all screens: on many processes too. */
const acceptance = ['one-line', 'live-chat', 'flows', 'administration', 'screens'].map(
  (name) => `deploy/browser/${name}.test.ts`,
)

const valueIn = (words, name) => words.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
const numberIn = (words, name) => {
  const value = valueIn(words, name)
  return value === undefined ? undefined : Number(value)
}

/** `npm run test:long [faults]`, or `npm run test:long mutations [count=60] [seed=1] [area=snapshots]`. */
await command(async () => {
  await setup()
  const [, , part = '', ...more] = process.argv
  if (part === 'mutations') {
    const [count, seed] = ['count', 'seed'].map((name) => numberIn(more, name))
    return mutationRound({ count, seed, area: valueIn(more, 'area') })
  }
  const files = longTests.filter((file) => file.includes(part))
  if (files.length === 0) throw new Error(`There is no long test with '${part}' in its path.`)
  const folder = mkdtempSync(join(tmpdir(), 'prosa-test-long-'))
  const measurements = join(folder, 'measurements.jsonl')
  try {
    const run = async (chosen, topology) => {
      const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism', ...chosen]
      const env = { PROSA_LONG: '1', PROSA_MEASUREMENTS: measurements, ...topology }
      return (await runCommand(vitest, { show: true, env })).code
    }
    const clustered = acceptance.filter((file) => files.includes(file))
    const codes = [await run(files)]
    if (clustered.length > 0 && !endOfLife.aborted) {
      console.log('\nThe acceptance tests again, over many processes')
      codes.push(await run(clustered, { PROSA_TOPOLOGY: 'cluster' }))
    }
    const lines = existsSync(measurements) ? readFileSync(measurements, 'utf8').trim().split('\n') : []
    for (const line of lines) {
      const { what, measured } = JSON.parse(line)
      console.log(`\n${what}`)
      console.table(measured)
    }
    return codes.find((code) => code !== 0) ?? 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
