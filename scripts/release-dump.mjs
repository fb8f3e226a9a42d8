import { command } from './running/command.mjs'
import { runCommand } from './running/run-command.mjs'
import { setup } from './setup.mjs'

/** `npm run release-dump -- <commit> <name>`: makes the dumps of `upgrade-*.test.ts`. */
await command(async () => {
  await setup()
  const program = ['--import', 'tsx', 'deploy/test/releases/make-dump.ts', ...process.argv.slice(2)]
  return (await runCommand(program, { show: true })).code
})
