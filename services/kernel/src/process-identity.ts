import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Identifies one living process permanently: process ids are reused, and zombies answer signal 0. */
export const processIdentity = async (pid: number): Promise<string | undefined> => {
  if (process.platform === 'linux') return linuxIdentity(pid)
  if (process.platform === 'win32') return answersSignals(pid) ? `${pid}` : undefined
  const listed = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => undefined)
  const [state, ...started] = listed?.stdout.trim().split(/\s+/) ?? []
  return !state || state.startsWith('Z') ? undefined : `${pid} ${started.join(' ')}`
}

const linuxIdentity = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (!stat) return undefined
  // The name may contain spaces; state is the first field after it, start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${pid} ${fields[19]} ${boot.trim()}`
}

const answersSignals = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
