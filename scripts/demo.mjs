import { command } from './command.mjs'
import { runCommand } from './run-command.mjs'
import { setup } from './setup.mjs'

/** `npm run demo`: fills an account of a Prosa that runs already (`npm start`) with the morning of a bakery. */
await command(async () => {
  await setup()
  const program = ['--import', 'tsx', 'services/sandbox/src/demo/main.ts', ...process.argv.slice(2)]
  return (await runCommand(program, { show: true })).code
})
