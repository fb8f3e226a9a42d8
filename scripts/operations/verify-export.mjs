import { command } from '../running/command.mjs'
import { runChild } from '../running/run-child.mjs'
import { setup } from '../setup.mjs'

await command(async () => {
  process.env.INIT_CWD ??= process.cwd()
  await setup()
  return runChild(['--import', 'tsx', 'deploy/src/verify-export.ts', ...process.argv.slice(2)])
})
