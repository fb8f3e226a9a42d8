import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { billingMigrations } from '@prosa/billing/migrations/billing-migrations'
import { contactMigrations } from '@prosa/contacts/migrations/contact-migrations'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { bundleSimulation } from './bundle.ts'
import type { PlantedFault } from './planted-faults.ts'
import type { RunReport } from './run-seed.ts'

export type Report = RunReport & { ms: number }

/** Runs these seeds in a process of its own, over a database of its own; with a fault in the sources where one is given. */
export const simulate = async (
  { first, count }: { first: number; count: number },
  fault?: PlantedFault,
  onReport: (report: Report) => void = () => undefined,
): Promise<Report[]> => {
  const name = fault ? `simulation-${fault.name.replaceAll(/\W+/g, '-')}` : 'simulation'
  const outfile = join('deploy/dist', `${name}-${process.pid}.mjs`)
  const root = join(import.meta.dirname, '../..')
  await mkdir(join(root, 'deploy/dist'), { recursive: true })
  await bundleSimulation(outfile, fault)
  const database = await kernelDatabase(contactMigrations, billingMigrations)
  const child = spawn(process.execPath, [join(root, outfile), database.url, String(first), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const ended = once(child, 'exit')
    const reports: Report[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      const report: Report = JSON.parse(line)
      reports.push(report)
      onReport(report)
    }
    const [code] = await ended
    if (code !== 0) throw new Error(`the simulation ended with ${code} after ${reports.length} seeds`)
    return reports
  } finally {
    child.kill('SIGKILL')
    await Promise.all([outfile, `${outfile}.map`].map((file) => rm(join(root, file), { force: true })))
    await database.drop()
  }
}
