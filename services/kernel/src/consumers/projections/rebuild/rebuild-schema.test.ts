import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtProgram } from '../../../testing/built-program.ts'
import { kernelDatabase } from '../../../testing/kernel-database.ts'

it('is made by many rebuilds of several processes at once, on connections that know it as missing, without an error', async () => {
  const postgres = await kernelDatabase()
  const program = await builtProgram(join(import.meta.dirname, 'rebuild-schema-process.ts'))
  const processes = [1, 2, 3].map(() => fork(program, [postgres.url]))
  try {
    await Promise.all(processes.map((each) => once(each, 'message')))
    const answers = processes.map((each) => once(each, 'message'))
    for (const each of processes) each.send('go')
    expect((await Promise.all(answers)).map(([errors]) => errors)).toEqual([[], [], []])
    const { rowCount } = await postgres.pool.query(`select from pg_namespace where nspname = 'rebuild'`)
    expect(rowCount).toBe(1)
  } finally {
    await Promise.all(processes.map((each) => each.exitCode ?? once(each, 'exit')))
    await postgres.drop()
  }
})
