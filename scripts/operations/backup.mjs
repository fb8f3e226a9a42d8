import { command } from '../running/command.mjs'
import { runChild } from '../running/run-child.mjs'
import { setup } from '../setup.mjs'

await command(async () => {
  await setup()
  return runChild(['--import', 'tsx', 'deploy/src/back-up.ts', ...process.argv.slice(2)])
})
