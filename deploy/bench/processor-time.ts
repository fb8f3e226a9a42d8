import { readdir, readFile } from 'node:fs/promises'

/** Of `/proc/<pid>/stat`, on every Linux. */
const tickMs = 10

interface ProcessStat {
  pid: number
  parent: number
  /** Of its own threads, and of its children that have ended. */
  ticks: number
}

const readStat = async (pid: number): Promise<ProcessStat | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name before it may have spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
    return {
      pid,
      parent: Number(fields[1]),
      ticks: (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0),
    }
  } catch {
    // It has just ended.
    return undefined
  }
}

/**
 * How much of the processors a process and all that it started have had so far, in milliseconds, in steps of 10; undefined where
 * there is no `/proc`.
 */
export const processorMs = async (pid: number): Promise<number | undefined> => {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readStat(Number(name))))
  const running = stats.flatMap((stat) => stat ?? [])
  const family = new Set([pid])
  for (const member of family) for (const { pid: child, parent } of running) if (parent === member) family.add(child)
  const members = running.filter((stat) => family.has(stat.pid))
  if (members.length === 0) return undefined
  return members.reduce((sum, { ticks }) => sum + ticks, 0) * tickMs
}
