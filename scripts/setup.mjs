import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { inRoot } from './root.mjs'
import { runCommand } from './running/run-command.mjs'
import { withMutex } from './running/setup-mutex.mjs'

const stampFile = inRoot('node_modules', '.setup-stamp')

const stamp = () => {
  const lock = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex')
  return `${lock} ${process.platform} ${process.arch}`
}

/** `npm ci` empties node_modules first, so a broken installation has no stamp. */
const isSetUp = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()

/** Called by every command, because npm's pre-scripts do not run under `ignore-scripts`. */
export const setup = async () => {
  requireNode()
  if (isSetUp()) return
  await withMutex(async () => {
    if (isSetUp()) return
    // Standard output is for what the command prints.
    console.error('Installing packages (about a minute)…')
    await install()
    writeFileSync(stampFile, stamp())
  })
}

const requireNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24) return
  throw new Error(`Prosa needs Node 20.19, 22.13, 24 or newer; this is Node ${process.versions.node}.`)
}

/** Uses the npm that called us; includes build tools under any configuration. Packages are locked: npm's cache needs no revalidation. */
const install = async () => {
  const args = [
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  // biome-ignore lint/suspicious/noUndeclaredEnvVars: npm sets it for its scripts, and turbo does not run this one.
  const caller = process.env.npm_execpath
  const { code } =
    caller && basename(caller) === 'npm-cli.js'
      ? await runCommand(['--max-semi-space-size=64', caller, ...args], { show: true })
      : await runCommand(args, { program: 'npm', show: true, shell: process.platform === 'win32' })
  if (code !== 0) throw new Error('Installing the packages failed; npm says why above. Run this again to repeat it.')
}
