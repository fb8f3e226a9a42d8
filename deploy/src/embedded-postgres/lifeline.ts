import { type ChildProcess, spawn } from 'node:child_process'

/** Undefined is our own account. */
export type Account = { uid: number; gid: number } | undefined

export interface Lifeline {
  /** Requests a fast shutdown. */
  cut(): void
  kill(): void
  /** Exit code of the command; null if a signal ended the guard. Rejects if it could not run. */
  ended: Promise<number | null>
}

/**
 * A shell whose helper reads a pipe from us. The pipe closes when this process ends (SIGKILL too), and the guard shuts the command down; it
 * also ends with the command.
 */
const guard = `
unset PGDATA PGPORT PGOPTIONS
export LC_ALL=C TZ=UTC
exec 3<&0
"$@" </dev/null 3<&- &
command=$!
# Asked more than once: a command that has only just started may not listen to signals yet.
( cd /
  while read -r _; do :; done
  trap 'kill $pause 2>/dev/null; exit' TERM
  for _ in 1 2 3 4 5; do kill -INT $command || exit; sleep 1 & pause=$!; wait $pause; done ) <&3 3<&- >/dev/null 2>&1 &
reader=$!
exec 3<&- </dev/null
wait $command
code=$?
kill $reader 2>/dev/null
wait $reader 2>/dev/null
exit $code
`

/** Windows, untested. pg_ctl also drops administrator rights. */
const windowsGuard = `
const { spawnSync } = require('node:child_process')
const [pgCtl, cluster, ...options] = process.argv.slice(1)
const quoted = options.map((option) => '"' + option + '"').join(' ')
const { status } = spawnSync(pgCtl, ['start', '-w', '-D', cluster, '-o', quoted], { stdio: ['ignore', 'inherit', 'inherit'] })
if (status) process.exit(status)
const stop = () => process.exit(spawnSync(pgCtl, ['stop', '-m', 'fast', '-w', '-D', cluster]).status ?? 1)
process.stdin.on('end', stop).on('error', stop).resume()
`

export interface LifelineOptions {
  account: Account
  /** File descriptor for the command's output. */
  output: number
  folder: string
}

/** initdb cannot outlive this process. */
export const initdbOnLifeline = (initdb: string, args: readonly string[], options: LifelineOptions): Lifeline =>
  process.platform === 'win32'
    ? guarded(initdb, args, options)
    : guarded('/bin/sh', ['-c', guard, 'sh', initdb, ...args], options)

/** The server on the cluster in `options.folder` cannot outlive this process. */
export const serverOnLifeline = (
  { postgres, pgCtl }: { postgres: string; pgCtl: string },
  flags: readonly string[],
  options: LifelineOptions,
): Lifeline =>
  process.platform === 'win32'
    ? guarded(process.execPath, ['-e', windowsGuard, pgCtl, options.folder, ...flags], options)
    : guarded('/bin/sh', ['-c', guard, 'sh', postgres, '-D', options.folder, ...flags], options)

const guarded = (program: string, args: readonly string[], { account, output, folder }: LifelineOptions): Lifeline => {
  const child: ChildProcess = spawn(program, args, {
    ...account,
    cwd: folder,
    // Own process group: Ctrl-C reaches only this process, which stops the server in order.
    detached: true,
    windowsHide: true,
    stdio: ['pipe', output, output],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  // 'exit' reports a broken pipe as well.
  child.stdin?.on('error', () => undefined)
  return {
    ended,
    cut: () => child.stdin?.end(),
    kill() {
      if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid, 'SIGKILL')
    },
  }
}
