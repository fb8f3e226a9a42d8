import { readdir, readFile } from 'node:fs/promises'

const tickMs = 10

interface ProcessStat {
  pid: number
  parent: number
  ticks: number
}

const readStat = async (pid: number): Promise<ProcessStat | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The process name may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
    return {
      pid,
      parent: Number(fields[1]),
      ticks: (user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0),
    }
  } catch {
    return undefined
  }
}

/** CPU time of a process and its descendants in steps of 10 ms; undefined without `/proc`. */
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
