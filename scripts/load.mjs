import { command } from './running/command.mjs'
import { runCommand } from './running/run-command.mjs'
import { setup } from './setup.mjs'

/** `npm run load -- --numbers 5 --contacts 20 --rate 50 --seconds 20`: needs a running Prosa. */
await command(async () => {
  await setup()
  const program = ['--import', 'tsx', 'services/sandbox/src/load/main.ts', ...process.argv.slice(2)]
  return (await runCommand(program, { show: true })).code
})
