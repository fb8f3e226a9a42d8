import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Text that names one living process for ever, or undefined when no such process lives: as in the kernel's file of this name,
 * which cannot be had before the packages are there. On Windows it is the number alone.
 */
export const processIdentity = (pid) => {
  if (process.platform === 'linux') return linuxIdentity(pid)
  if (process.platform === 'win32') return answersSignals(pid) ? `${pid}` : undefined
  const [state, ...started] = psLine(pid).split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : `${pid} ${started.join(' ')}`
}

const linuxIdentity = (pid) => {
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Where nobody collects the dead, as in some containers, they still have their number.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return `${pid} ${fields[19]} ${read('/proc/sys/kernel/random/boot_id').trim()}`
}

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It is not there, or ended while we read.
    return ''
  }
}

const psLine = (pid) => {
  try {
    return execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    // It exits with an error when there is none.
    return ''
  }
}

/** Whether a process with this number lives, whoever it is. */
export const answersSignals = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
