import { type ProcessName, processNames } from '../topology/processes.ts'
import type { ProcessAddress } from './process-health.ts'

export interface PlannedProcess extends ProcessAddress {
  /** `sessions-2` */
  id: string
  name: ProcessName | 'simulator'
  port: number
}

export type Counts = Readonly<Record<ProcessName, number>>

/** One of each at least, in the order of the topology; simulated phones come first, as lines connect to them. */
export const planProcesses = async (counts: Counts, nextPort: () => Promise<number>): Promise<PlannedProcess[]> => {
  const names = ['simulator' as const, ...processNames.flatMap((name) => Array<ProcessName>(counts[name]).fill(name))]
  const planned: PlannedProcess[] = []
  for (const name of names) {
    const earlier = planned.filter((other) => other.name === name).length
    const port = await nextPort()
    planned.push({ id: `${name}-${earlier + 1}`, name, port, url: `http://127.0.0.1:${port}` })
  }
  return planned
}

const firstPauseMs = 500
const maxPauseMs = 30_000
const calmMs = 60_000

/** Before the next start of a process that ended by itself: doubled each time, until one has run for a minute. */
export const pauseBeforeStart = (lastPauseMs: number, ranForMs: number): number =>
  ranForMs >= calmMs ? firstPauseMs : Math.min(maxPauseMs, Math.max(firstPauseMs, lastPauseMs * 2))
