import { command } from '../running/command.mjs'
import { runCommand } from '../running/run-command.mjs'
import { setup } from '../setup.mjs'

/** `npm run move-log -- eventstoredb` (or `postgres`): Prosa must not run. */
await command(async () => {
  await setup()
  const program = ['--import', 'tsx', 'deploy/src/move-log.ts', ...process.argv.slice(2)]
  return (await runCommand(program, { show: true })).code
})
