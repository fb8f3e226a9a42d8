import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command } from './command.mjs'
import { mutationRound } from './mutations.mjs'
import { inRoot } from './root.mjs'
import { runCommand } from './run-command.mjs'
import { setup } from './setup.mjs'

/** What has a long form: faults provoked hundreds of times, rebuilds of half a million events. One after the other. */
const longTests = [
  'services/kernel/src/event-store/postgres/faults.test.ts',
  'services/kernel/src/event-store/eventstoredb.test.ts',
  'services/kernel/src/event-store/eventstoredb/killed-server.test.ts',
  'projections/src/runner/equals-the-fold.test.ts',
  'projections/src/runner/survives-sigkill.test.ts',
  'projections/src/runner/rebuild-survives-sigkill.test.ts',
  'projections/src/runner/rebuild-under-load.test.ts',
  'projections/src/runner/parked-survives-sigkill.test.ts',
  'services/contacts/src/merge-interleavings.test.ts',
  'services/contacts/src/saved-states.test.ts',
  'services/sessions/src/saved-states.test.ts',
  'services/identity/src/current-credential.test.ts',
  'deploy/test/killed-product.test.ts',
  'deploy/test/many-numbers.test.ts',
  'deploy/browser/burst.test.ts',
  'deploy/browser/full-storage.test.ts',
]

/** The number in `count=60`; undefined where it is not named. */
const numberIn = (words, name) => {
  const word = words.find((each) => each.startsWith(`${name}=`))
  return word === undefined ? undefined : Number(word.slice(name.length + 1))
}

/**
 * `npm run test:long`, or `npm run test:long faults`: the long forms, with their figures at the end. `npm run test:long mutations`
 * (with `count=60` and `seed=1` where wished) puts small faults into the sources, one at a time, and prints how many were noticed.
 */
await command(async () => {
  await setup()
  const [, , part = '', ...more] = process.argv
  if (part === 'mutations') return mutationRound({ count: numberIn(more, 'count'), seed: numberIn(more, 'seed') })
  const files = longTests.filter((file) => file.includes(part))
  if (files.length === 0) throw new Error(`There is no long test with '${part}' in its path.`)
  const folder = mkdtempSync(join(tmpdir(), 'prosa-test-long-'))
  const figures = join(folder, 'figures.jsonl')
  try {
    const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism', ...files]
    const { code } = await runCommand(vitest, { show: true, env: { PROSA_LONG: '1', PROSA_FIGURES: figures } })
    const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : []
    for (const line of lines) {
      const { what, figures } = JSON.parse(line)
      console.log(`\n${what}`)
      console.table(figures)
    }
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
