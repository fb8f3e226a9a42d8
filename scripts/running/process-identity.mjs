import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Duplicates the kernel's file, which needs installed packages. On Windows: only the process id. */
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
  // Unreaped zombies still have their process id.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return `${pid} ${fields[19]} ${read('/proc/sys/kernel/random/boot_id').trim()}`
}

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const psLine = (pid) => {
  try {
    return execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export const answersSignals = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
