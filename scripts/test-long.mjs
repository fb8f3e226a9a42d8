import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command } from './command.mjs'
import { mutationRound } from './mutations/mutation-round.mjs'
import { inRoot } from './root.mjs'
import { runCommand } from './run-command.mjs'
import { setup } from './setup.mjs'

/**
 * What has a long form: faults provoked hundreds of times, rebuilds of half a million events, every step in a browser. One after
 * the other.
 */
const longTests = [
  'deploy/test/event-store-faults.test.ts',
  'services/kernel/src/event-store/eventstoredb.test.ts',
  'services/kernel/src/event-store/memory.test.ts',
  'services/kernel/src/event-store/postgres.test.ts',
  'services/kernel/src/event-store/eventstoredb/killed-server.test.ts',
  'projections/src/consistency/equals-the-fold.test.ts',
  'projections/src/consistency/survives-sigkill.test.ts',
  'projections/src/consistency/rebuild-survives-sigkill.test.ts',
  'projections/src/consistency/rebuild-under-load.test.ts',
  'projections/src/consistency/parked-survives-sigkill.test.ts',
  'services/contacts/src/merge-interleavings.test.ts',
  'services/contacts/src/saved-states.test.ts',
  'services/sessions/src/saved-states.test.ts',
  'services/identity/src/current-credential.test.ts',
  'services/identity/src/photo/hostile-pictures.test.ts',
  'services/sessions/src/scenarios/connection-budget.test.ts',
  'services/automation/src/run/replay-run.test.ts',
  'services/billing/src/refusals/refused-webhooks.test.ts',
  'services/billing/src/whose-purchase.test.ts',
  'deploy/test/killed-deliveries.test.ts',
  'deploy/test/killed-runs.test.ts',
  'deploy/test/killed-product.test.ts',
  'deploy/test/guarded-addresses.test.ts',
  'deploy/test/many-numbers.test.ts',
  'deploy/test/repeated-commands.test.ts',
  'deploy/test/separate-processes.test.ts',
  'deploy/test/service-order.test.ts',
  'deploy/test/whaticket-cases.test.ts',
  'deploy/browser/administration.test.ts',
  'deploy/browser/flows.test.ts',
  'deploy/browser/burst.test.ts',
  'deploy/browser/ended-access.test.ts',
  'deploy/browser/full-storage.test.ts',
  'deploy/browser/live-chat.test.ts',
  'deploy/browser/one-line.test.ts',
  'deploy/browser/restarts.test.ts',
  'deploy/browser/screens.test.ts',
]

/** `snapshots` in `area=snapshots`; undefined where it is not named. */
const valueIn = (words, name) => words.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
const numberIn = (words, name) => {
  const value = valueIn(words, name)
  return value === undefined ? undefined : Number(value)
}

/**
 * `npm run test:long`, or `npm run test:long faults`: the long forms, with their measurements at the end. `npm run test:long
 * mutations` (with `count=60`, `seed=1` and `area=snapshots` where wished) puts small faults into the sources, one at a time, and prints how many
 * were noticed.
 */
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
    const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism', ...files]
    const { code } = await runCommand(vitest, {
      show: true,
      env: { PROSA_LONG: '1', PROSA_MEASUREMENTS: measurements },
    })
    const lines = existsSync(measurements) ? readFileSync(measurements, 'utf8').trim().split('\n') : []
    for (const line of lines) {
      const { what, measured } = JSON.parse(line)
      console.log(`\n${what}`)
      console.table(measured)
    }
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
