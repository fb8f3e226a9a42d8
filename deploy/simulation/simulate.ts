import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { billingMigrations } from '@prosa/billing/migrations/billing-migrations'
import { contactMigrations } from '@prosa/contacts/migrations/contact-migrations'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { bundleSimulation } from './bundle.ts'
import type { PlantedFault } from './planted-faults.ts'
import type { RunReport } from './run-seed.ts'

export type Report = RunReport & { ms: number }

export const simulatedDatabase = () => kernelDatabase(contactMigrations, billingMigrations)

const root = join(import.meta.dirname, '../..')
let bundles = 0

export interface Simulation {
  /** Runs the seeds in a child process. */
  run(
    database: Pick<TestPostgres, 'url'>,
    seeds: { first: number; count: number; isTraced?: boolean },
  ): Promise<Report[]>
  /** Removes its files. */
  remove(): Promise<void>
}

/** Bundles the product, with faults planted where given. */
export const buildSimulation = async (faults: readonly PlantedFault[] = []): Promise<Simulation> => {
  const outfile = join('deploy/dist', `simulation-${process.pid}-${++bundles}.mjs`)
  const file = join(root, outfile)
  await mkdir(join(root, 'deploy/dist'), { recursive: true })
  await bundleSimulation(outfile, faults)
  return {
    async run({ url }, { first, count, isTraced = false }) {
      const args = [file, url, String(first), String(count), isTraced ? 'trace' : '']
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      try {
        const ended = once(child, 'exit')
        const reports: Report[] = []
        for await (const line of createInterface({ input: child.stdout })) reports.push(JSON.parse(line))
        const [code] = await ended
        if (code !== 0) throw new Error(`the simulation ended with ${code} after ${reports.length} seeds`)
        return reports
      } finally {
        child.kill('SIGKILL')
      }
    },
    async remove() {
      await Promise.all([file, `${file}.map`].map((each) => rm(each, { force: true })))
    },
  }
}
