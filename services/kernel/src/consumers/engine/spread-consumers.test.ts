import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { serialQueue } from '../../async/keyed-queue.ts'
import { postgresEventStore } from '../../event-store/postgres.ts'
import { builtProgram } from '../../testing/built-program.ts'
import { kernelDatabase } from '../../testing/kernel-database.ts'
import { shortOrLong } from '../../testing/long-form.ts'
import { nameContact } from '../../testing/running-reactor.ts'
import { until } from '../../testing/until.ts'

const program = fileURLToPath(new URL('../testing/spread-process.ts', import.meta.url))
const silenceMs = 2000
const consumers = 12
const people = ['ana', 'bia', 'caio']

const openScene = async () => {
  const database = await kernelDatabase()
  const { pool } = database
  await pool.query(`create table reacted (at bigint generated always as identity, reactor text, who text, name text,
    process int, primary key (reactor, who, name))`)
  const store = await postgresEventStore({ url: database.url })
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  const built = await builtProgram(program)
  const start = () => {
    const args = [built, database.url, String(silenceMs), String(consumers)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await ended
    }
    onTestFinished(() => end('SIGKILL'))
    return { child, end }
  }

  let rounds = 0
  const serially = serialQueue()
  const talk = () =>
    serially(async () => {
      const name = String(rounds++)
      for (const who of people) await nameContact(store, who, name)
      return name
    })
  const reactors = async (name: string): Promise<number[]> =>
    (await pool.query(`select process from reacted where name = $1 and who = 'ana'`, [name])).rows.map(
      ({ process: pid }) => pid,
    )
  /** How many consumers each process has, by who reacted to one more event. */
  const spread = async () => {
    const name = await talk()
    const pids = await until(async () => {
      const found = await reactors(name)
      return found.length === consumers && found
    })
    const counts = new Map<number, number>()
    for (const pid of pids) counts.set(pid, (counts.get(pid) ?? 0) + 1)
    return counts
  }
  const areSpreadOver = (processes: readonly { child: ChildProcess }[], most: number) =>
    until(async () => {
      const counts = await spread()
      return (
        counts.size === processes.length &&
        processes.every(({ child: { pid = 0 } }) => (counts.get(pid) ?? 0) <= most && counts.has(pid))
      )
    })
  const everythingOnce = async () => {
    const names = Array.from({ length: rounds }, (_, index) => String(index))
    const all = async () => (await pool.query('select reactor, who, name from reacted order by at')).rows
    const rows = await until(async () => {
      const found = await all()
      return found.length === rounds * people.length * consumers && found
    })
    const orders = new Map<string, string[]>()
    for (const { reactor, who, name } of rows) {
      const key = `${reactor} ${who}`
      orders.set(key, [...(orders.get(key) ?? []), name])
    }
    expect(orders.size).toBe(consumers * people.length)
    for (const order of orders.values()) expect(order).toEqual(names)
  }
  return { start, talk, areSpreadOver, everythingOnce }
}

/** Events of one person arrive during each change. */
const talking = async (talk: () => Promise<unknown>, change: () => Promise<unknown>) => {
  let isOver = false
  const changing = change().finally(() => {
    isOver = true
  })
  while (!isOver) await talk()
  await changing
}

it('consumers spread over the processes that come and go, each runs once, and none misses or repeats an event', {
  timeout: shortOrLong(120_000, 600_000),
}, async () => {
  const { start, talk, areSpreadOver, everythingOnce } = await openScene()
  const first = start()
  await areSpreadOver([first], 12)
  const second = start()
  await talking(talk, () => areSpreadOver([first, second], 6))
  let third = start()
  await talking(talk, () => areSpreadOver([first, second, third], 4))

  for (let round = 0; round < shortOrLong(1, 10); round++) {
    await talking(talk, () => third.end('SIGKILL'))
    await areSpreadOver([first, second], 6)
    third = start()
    await areSpreadOver([first, second, third], 4)
  }
  second.child.kill('SIGSTOP')
  await talking(talk, () => areSpreadOver([first, third], 6))
  second.child.kill('SIGCONT')
  await talking(talk, () => areSpreadOver([first, second, third], 4))

  await talking(talk, () => first.end('SIGTERM'))
  await areSpreadOver([second, third], 6)
  await second.end('SIGTERM')
  await areSpreadOver([third], 12)
  await everythingOnce()
})
