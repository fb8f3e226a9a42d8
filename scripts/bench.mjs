import { existsSync, readdirSync } from 'node:fs'
import { inRoot } from './root.mjs'
import { command } from './running/command.mjs'
import { endOfLife } from './running/end-of-life.mjs'
import { runCommand } from './running/run-command.mjs'
import { setup } from './setup.mjs'
import { workspaces } from './workspaces.mjs'

const benchesWith = (part) =>
  workspaces()
    .map((workspace) => `${workspace}/bench`)
    .filter((folder) => existsSync(inRoot(folder)))
    .flatMap((folder) => readdirSync(inRoot(folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.bench.ts') && file.includes(part))

/** `npm run bench [append]`: one after the other, as two at once would disturb each other. */
await command(async () => {
  await setup()
  const part = process.argv[2] ?? ''
  const benches = benchesWith(part)
  if (benches.length === 0) throw new Error(`There is no measurement with '${part}' in its path.`)
  let failed = 0
  for (const bench of benches) {
    if (endOfLife.aborted) return 1
    console.log(`\n${bench}`)
    const { code } = await runCommand(['--import', 'tsx', bench], { show: true })
    if (code !== 0) failed += 1
  }
  return failed === 0 ? 0 : 1
})
