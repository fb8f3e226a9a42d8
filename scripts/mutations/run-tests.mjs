import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { endOfLife } from '../running/end-of-life.mjs'

const maxSilenceMs = 200_000
const goodbyeMs = 10_000

/**
 * Stops at the first failure. `end`: 'passed', 'failed', 'silent' (no result for minutes), 'late' (over `maxMs`) or
 * 'aborted'.
 */
export const runTests = async (folder, files, { temporary, maxMs }) => {
  const report = join(temporary, `${basename(folder)}.json`)
  rmSync(report, { force: true })
  const { end, code } = await runVitest(folder, { temporary, files, report, maxMs })
  const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const failed = results.find(({ status }) => status === 'failed')
  return {
    end: end ?? (code === 0 ? 'passed' : 'failed'),
    failed: failed && relative(folder, failed.name),
    test: failed?.assertionResults.find(({ status }) => status === 'failed')?.fullName,
  }
}

const runVitest = (folder, { temporary, files, report, maxMs }) =>
  new Promise((resolve, reject) => {
    const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`]
    const run = ['run', ...files, '--project=node', '--bail=1', '--maxWorkers=1', ...reporters]
    const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...run], {
      cwd: folder,
      // Ends a worker in an endless loop too.
      detached: true,
      env: { ...process.env, TMPDIR: temporary, PROSA_TESTS_IN_ORDER: files.join(',') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const killGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch (error) {
        if (error.code !== 'ESRCH') throw error
      }
    }
    let end
    let goodbye
    const stop = (why) => {
      end ??= why
      child.kill('SIGTERM')
      goodbye ??= setTimeout(killGroup, goodbyeMs)
    }
    let silence
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(stop, maxSilenceMs, 'silent')
    }
    listen()
    for (const stream of [child.stdout, child.stderr]) stream.on('data', listen)
    const limit = setTimeout(stop, maxMs, 'late')
    const abort = () => stop('aborted')
    if (endOfLife.aborted) abort()
    else endOfLife.addEventListener('abort', abort, { once: true })
    child.once('error', reject)
    child.once('close', (code) => {
      for (const timer of [silence, limit, goodbye]) clearTimeout(timer)
      endOfLife.removeEventListener('abort', abort)
      killGroup()
      resolve({ code: code ?? 1, end })
    })
  })
