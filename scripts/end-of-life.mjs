import { readFileSync } from 'node:fs'

const pollMs = 250

const asked = new AbortController()

/**
 * Aborts when this process is asked to end: by a signal, or because whoever started it went away. npm does not stop what it
 * started, and the shell in between does not hand signals on, so the second happens whenever npm itself is stopped.
 */
export const endOfLife = asked.signal

const end = () => asked.abort()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end)

// biome-ignore lint/suspicious/noUndeclaredEnvVars: npm sets it for its scripts, and turbo does not run this one.
const isBehindShell = process.platform === 'linux' && process.env.npm_lifecycle_event !== undefined

/**
 * Our parent and, where npm started us through a shell that stays when npm is killed, the parent of that. On other systems
 * the shell gives way to us, and npm is our parent.
 */
const forebears = () => `${process.ppid} ${isBehindShell ? parentOf(process.ppid) : ''}`

const parentOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  } catch {
    // It has just ended.
    return undefined
  }
}

const atFirst = forebears()
setInterval(() => {
  if (forebears() !== atFirst) end()
}, pollMs).unref()
