import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { storedNames } from '@prosa/contracts/stored-names'
import { lockNumber } from '@prosa/kernel/postgres/lock-session'
import { openPool } from '@prosa/kernel/postgres/pool'
import { ConfigError } from '@prosa/kernel/process/config-error'
import type { Pool } from 'pg'
import { z } from 'zod'
import { askProcesses, type ProcessAddress, type ProcessHealth } from './process-health.ts'
import { allCheckpoints, type LineCount, leasedLines, takenLocks } from './status-queries.ts'

const clusterState = z.object({
  url: z.string(),
  databaseUrl: z.string(),
  gateway: z.string(),
  processes: z.array(z.object({ id: z.string(), name: z.string(), url: z.string(), pid: z.number().nullable() })),
})

/** Every consumer's lock, as `consume` names it. */
const consumerNames = [
  ...storedNames.consumers.flatMap((name) => [`projection ${name}`, `reactor ${name}`]),
  ...storedNames.timers.map((kind) => `timers ${kind}`),
]

export interface Holdings {
  /** By process, as `<machine>:<process id>`. */
  consumers: Map<string, string[]>
  /** That have a checkpoint and no holder. */
  idle: string[]
  lines: Map<string, number>
  /** Lines without a holder. */
  waitingLines: number
}

/** `<machine> <boot> <namespace> process <pid> …` → `<machine>:<pid>`, as in the locks' sessions. */
export const holderOf = (process: string): string => {
  const [machine = '', rest = ''] = process.split(' process ')
  return `${machine.split(' ')[0]?.slice(0, 40)}:${rest.split(' ')[0]}`
}

const linesBy = (counts: readonly LineCount[]) => {
  const lines = new Map<string, number>()
  for (const { process, lines: count } of counts) if (process !== null) lines.set(holderOf(process), count)
  return { lines, waitingLines: counts.find(({ process }) => process === null)?.lines ?? 0 }
}

/** From the database alone, whichever machines the processes run on. */
export const readHoldings = async (pool: Pool): Promise<Holdings> => {
  const [locks, checkpoints, leases] = await Promise.all([takenLocks(pool), allCheckpoints(pool), leasedLines(pool)])
  const nameOf = new Map(consumerNames.map((name) => [String(lockNumber(name)), name]))
  const consumers = new Map<string, string[]>()
  for (const { lock, session } of locks) {
    const name = nameOf.get(lock)
    const holder = session.replace('prosa-lock ', '')
    if (name) consumers.set(holder, [...(consumers.get(holder) ?? []), name].sort())
  }
  const working = new Set([...consumers.values()].flat().map((name) => name.slice(name.indexOf(' ') + 1)))
  const idle = checkpoints.map(({ name }) => name).filter((name) => !working.has(name.slice(name.indexOf(' ') + 1)))
  return { consumers, idle, ...linesBy(leases) }
}

const faultsOf = ({ trouble }: ProcessHealth) =>
  Object.entries(trouble).map(([part, what]) => `  ${part}: ${JSON.stringify(what)}`)

export const describeStatus = (
  health: readonly (ProcessHealth & { id: string; holder: string | undefined })[],
  { consumers, idle, lines, waitingLines }: Holdings,
): string => {
  const known = new Set(health.map(({ holder }) => holder))
  const holdings = (holder: string | undefined) => {
    const own = holder === undefined ? [] : (consumers.get(holder) ?? [])
    const ownLines = holder === undefined ? 0 : (lines.get(holder) ?? 0)
    return [...(ownLines > 0 ? [`  ${ownLines} lines`] : []), ...own.map((name) => `  ${name}`)]
  }
  const others = [...new Set([...consumers.keys(), ...lines.keys()])].filter((holder) => !known.has(holder))
  return [
    ...health.flatMap((each) => [
      `${each.id.padEnd(14)} ${each.state.padEnd(10)} ${each.holder ?? ''}`,
      ...faultsOf(each),
      ...holdings(each.holder),
    ]),
    ...others.flatMap((holder) => [`${'(another)'.padEnd(25)} ${holder}`, ...holdings(holder)]),
    ...(waitingLines > 0 ? [`${waitingLines} lines wait for a process`] : []),
    ...(idle.length > 0 ? [`without a holder: ${idle.join(', ')}`] : []),
  ].join('\n')
}

const readState = async (file: string) => {
  try {
    return clusterState.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new ConfigError('No cluster is running: start one with npm run cluster.')
    throw error
  }
}

/** Text for a terminal. Throws `ConfigError` where no cluster runs. */
export const clusterStatus = async (file: string): Promise<string> => {
  const { url, databaseUrl, gateway, processes } = await readState(file)
  const pool = openPool(databaseUrl, { max: 2 })
  try {
    const [health, holdings] = await Promise.all([askAll(processes), readHoldings(pool)])
    return [`${gateway} at ${url}`, describeStatus(health, holdings)].join('\n')
  } finally {
    await pool.end()
  }
}

const askAll = (processes: readonly (ProcessAddress & { id: string; pid: number | null })[]) => {
  const machine = hostname().slice(0, 40)
  const asked = processes.map(async ({ id, name, url, pid }) => {
    const [health] = await askProcesses([{ name, url }])
    const silent: ProcessHealth = { name, url, state: 'silent', trouble: {} }
    return { ...(health ?? silent), id, holder: pid === null ? undefined : `${machine}:${pid}` }
  })
  return Promise.all(asked)
}
