import { command } from './running/command.mjs'
import { runCommand } from './running/run-command.mjs'
import { setup } from './setup.mjs'

/** `npm run demo`: fills an account of a running Prosa with example data. */
await command(async () => {
  await setup()
  const program = ['--import', 'tsx', 'services/sandbox/src/demo/main.ts', ...process.argv.slice(2)]
  return (await runCommand(program, { show: true })).code
})
