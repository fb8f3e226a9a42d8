import { readFileSync } from 'node:fs'

const pollMs = 250

const asked = new AbortController()

/** Aborts on a signal, or when the parent disappears: npm does not stop what it started, and shells do not forward signals. */
export const endOfLife = asked.signal

const end = () => asked.abort()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end)

// biome-ignore lint/suspicious/noUndeclaredEnvVars: npm sets it for its scripts, and turbo does not run this one.
const isBehindShell = process.platform === 'linux' && process.env.npm_lifecycle_event !== undefined

/** Our parent and, if that is a shell that outlives npm, its parent. */
const forebears = () => `${process.ppid} ${isBehindShell ? parentOf(process.ppid) : ''}`

const parentOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  } catch {
    return undefined
  }
}

const atFirst = forebears()
setInterval(() => {
  if (forebears() !== atFirst) end()
}, pollMs).unref()
