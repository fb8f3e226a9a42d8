import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildLocal, buildProduction } from './builds/builds.mjs'
import { checkDependencies } from './check-dependencies.mjs'
import { checkLock } from './check-lock.mjs'
import { inRoot } from './root.mjs'
import { command } from './running/command.mjs'
import { endOfLife } from './running/end-of-life.mjs'
import { runCommand } from './running/run-command.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { temporaryFolder } from './running/temporary-folder.mjs'
import { setup } from './setup.mjs'
import { filesToRunAgain, readTestReport, withSecondRun } from './test-report.mjs'

const totals = { passed: 0, failed: 0, skipped: 0 }

const binary = (path) => inRoot('node_modules', path)
const quietTurbo = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1' }

const faultsOfTool = async (args, env) => {
  const { code, output } = await runCommand(args, { env })
  return code === 0 ? [] : [output.trim() || `ended with code ${code}`]
}

const checkTypes = () =>
  faultsOfTool([binary('turbo/bin/turbo'), 'run', 'typecheck', '--output-logs=errors-only'], quietTurbo)

const checkBuilds = async () => {
  await withMutex(async () => {
    await buildLocal()
    await buildProduction()
  })
  return []
}

/** They run in parallel; tests need what the last one builds. */
const checksBefore = {
  'lock file': async () => checkLock(),
  'direction of dependencies': async () => checkDependencies(),
  biome: () => faultsOfTool([binary('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
  'builds for npm start and for production': checkBuilds,
}

/** These run beside the tests. */
const checksBeside = {
  types: checkTypes,
  'patterns in linear time': () => faultsOfTool([inRoot('scripts/check-patterns.mjs')]),
  words: () => faultsOfTool([inRoot('scripts/check-words.mjs')]),
  grain: () => faultsOfTool([inRoot('scripts/check-grain.mjs')]),
  knip: () => faultsOfTool([binary('knip/bin/knip.js')]),
}

const runChecks = (checks) => Promise.all(Object.entries(checks).map(runCheck))

const runCheck = async ([name, check]) => {
  const started = performance.now()
  const faults = await check().catch((error) => [error.message])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  for (const fault of faults) console.log(fault.replaceAll(/^/gm, '    '))
  totals[faults.length === 0 ? 'passed' : 'failed'] += 1
}

// Many tests wait, so more workers than processors.
const allAtOnce = [`--maxWorkers=${availableParallelism() + 2}`]

const runTests = async (which = allAtOnce) => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const env = { TMPDIR: folder.path }
    const { code } = await runCommand([binary('vitest/vitest.mjs'), 'run', ...which, ...reporters], { show: true, env })
    return readTestReport(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, code)
  } finally {
    folder.remove()
  }
}

await command(async () => {
  await setup()
  console.log('\nStatic checks and builds')
  await runChecks(checksBefore)
  console.log('\nTests')
  const beside = runChecks(checksBeside)
  const first = await runTests()
  await beside
  const again = endOfLife.aborted ? [] : filesToRunAgain(first)
  if (again.length > 0) console.log('\nOnce more alone, what failed beside the others')
  const report = again.length > 0 ? withSecondRun(first, await runTests(['--no-file-parallelism', ...again])) : first
  if (endOfLife.aborted) return 1
  for (const kind of Object.keys(totals)) totals[kind] += report[kind]
  for (const line of report.lines) console.log(line)
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  return totals.failed > 0 ? 1 : 0
})
