import { command } from '../running/command.mjs'
import { runChild } from '../running/run-child.mjs'
import { setup } from '../setup.mjs'

/** `npm run replay -- --help`: published events of any Prosa, with a key, to a file, a Kafka or standard output (docs/analysts.md). */
await command(async () => {
  process.env.INIT_CWD ??= process.cwd()
  await setup()
  return runChild(['--import', 'tsx', 'services/streams/src/replay/main.ts', ...process.argv.slice(2)])
})
