import { command } from '../running/command.mjs'
import { runChild } from '../running/run-child.mjs'
import { setup } from '../setup.mjs'

/** `npm run backfill -- --help`: a range of the log into a topic of its own. */
await command(async () => {
  await setup()
  return runChild(['--import', 'tsx', 'deploy/src/backfill.ts', ...process.argv.slice(2)])
})
