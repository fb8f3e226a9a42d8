import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '@prosa/kernel/postgres/pool'
import { io } from 'socket.io-client'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { startProduct } from '../test/product.ts'
import { caddy, startGateway, startRealtime } from '../test/realtime-processes.ts'
import type { Visitor } from '../test/visitor.ts'

/**
 * Open sockets over two processes of realtime: from a command's request until the push that names its contact is at a socket. All sockets of
 * a tenant, and one of another; then a process is killed, whose sockets go on through Caddy. Reference: a bare Socket.IO server's fan-out to
 * as many, in the same run. Fan-out is measured without Caddy. `PROSA_SOCKETS=10000 npm run bench sockets` for more than
 * 1,000.
 */
const count = Number(process.env.PROSA_SOCKETS ?? 1000)
const rounds = 15
const socketsPerProcess = 2500
const changesAroundTheKill = 40

const quantile = (values: readonly number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
const round = (value: number) => Number(value.toFixed(1))
const now = () => performance.timeOrigin + performance.now()

interface Group {
  url: string
  cookie: string
  count: number
}

const started = async (file: string, args: string[] = []): Promise<{ child: ChildProcess; first: unknown }> => {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: ['--import', 'tsx'] })
  const [first] = await once(child, 'message')
  return { child, first }
}

/** Spread evenly over as many client processes as it takes. */
const openBrowsers = async (event: string, groups: readonly Group[]) => {
  const total = groups.reduce((sum, group) => sum + group.count, 0)
  const processes = Math.ceil(total / socketsPerProcess)
  const children: ChildProcess[] = []
  for (let index = 0; index < processes; index++) {
    const part = (whole: number) =>
      Math.floor(((index + 1) * whole) / processes) - Math.floor((index * whole) / processes)
    const own = groups.map((group) => ({ ...group, count: part(group.count) }))
    children.push((await started('browsers-process.ts', [event, JSON.stringify(own)])).child)
  }
  const ask = async <Reply>(question: { ask: string; names: string[]; ms: number }): Promise<Reply[]> => {
    const replies = children.map(async (child) => {
      const reply = once(child, 'message')
      child.send(question)
      const [answer] = await reply
      return answer as Reply
    })
    return Promise.all(replies)
  }
  return {
    /** Ms from `since` until it was at each socket, by group. */
    async arrivals(name: string, since: number): Promise<number[][]> {
      const found = (
        await ask<{ group: number; at: number | null }[]>({ ask: 'arrivals', names: [name], ms: 20_000 })
      ).flat()
      const missing = found.filter(({ at }) => at === null).length
      if (missing > 0) throw new Error(`${name} did not reach ${missing} of ${found.length} sockets`)
      return groups.map((_, index) =>
        found.flatMap(({ group, at }) => (group === index && at !== null ? at - since : [])),
      )
    },
    async missed(names: string[]) {
      const all = await ask<{ missed: number; reloaded: number; connected: number }>({
        ask: 'missed',
        names,
        ms: 60_000,
      })
      const sum = (of: 'missed' | 'reloaded' | 'connected') => all.reduce((total, each) => total + each[of], 0)
      return { missed: sum('missed'), reloaded: sum('reloaded'), connected: sum('connected') }
    },
    async close() {
      for (const child of children) {
        const ended = once(child, 'exit')
        child.disconnect()
        await ended
      }
    },
  }
}

let phones = 0
const addContact = async (visitor: Visitor): Promise<string> => {
  const phone = `55119${String(80_000_000 + ++phones)}`
  const { status, body } = await visitor.ask<{ id: string }>('POST', '/api/whatsapp/contacts', { phone })
  if (status >= 300) throw new Error(`contact not added: ${status}`)
  return body.id
}

const describe = (all: readonly number[]) => ({ p50: round(quantile(all, 0.5)), p99: round(quantile(all, 0.99)) })

const bareFanOut = async () => {
  const { child, first } = await started('fan-out-process.ts')
  const url = `http://127.0.0.1:${Number(first)}`
  const browsers = await openBrowsers('named', [{ url, cookie: '', count }])
  const sender = io(url, { forceNew: true, transports: ['websocket'] })
  await new Promise<void>((resolve) => sender.once('connect', () => resolve()))
  const delays: number[] = []
  for (let index = 0; index < rounds; index++) {
    const since = now()
    sender.emit('to all', `bare ${index}`)
    delays.push(...(await browsers.arrivals(`bare ${index}`, since)).flat())
    await delay(200)
  }
  sender.disconnect()
  await browsers.close()
  child.disconnect()
  return delays
}

if (!caddy) throw new Error('needs Caddy')
const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const secret = randomBytes(32)
  const pool = openPool(postgres.url)
  const database = { url: postgres.url, pool, drop: () => pool.end() }
  const product = await startProduct({ database, secret, givesTokens: true })
  const limit = String(4 * count)
  const env = {
    DATABASE_URL: postgres.url,
    PROSA_SECRET: secret.toString('hex'),
    PROSA_MAX_SOCKETS_PER_SESSION: limit,
    PROSA_MAX_SOCKETS_PER_ADDRESS: limit,
  }
  const instances = [await startRealtime(env), await startRealtime(env)]
  const gateway = await startGateway(
    caddy,
    instances.map(({ port }) => port),
    product.url,
  )
  const many = await product.visitor().register()
  const single = await product.visitor().register()
  console.log(`${count} sockets over two processes of realtime, load ${loadavg()[0]}, node ${process.version}`)

  const bare = await bareFanOut()
  const at = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  const direct = await openBrowsers('whatsapp:contact_update', [
    ...instances.map((each) => ({ url: at(each), cookie: many.cookie ?? '', count: count / 2 })),
  ])
  const byInstance: number[][] = [[], []]
  const toOne: number[] = []
  const requests: number[] = []
  for (let index = 0; index < rounds; index++) {
    const since = now()
    const id = await addContact(many)
    requests.push(now() - since)
    const [one = [], other = []] = await direct.arrivals(id, since)
    byInstance[0]?.push(...one)
    byInstance[1]?.push(...other)
    await delay(200)
  }
  const alone = await openBrowsers('whatsapp:contact_update', [
    { url: at(instances[1] ?? { port: 0 }), cookie: single.cookie ?? '', count: 1 },
  ])
  for (let index = 0; index < 2 * rounds; index++) {
    const since = now()
    toOne.push(...(await alone.arrivals(await addContact(single), since)).flat())
  }
  await alone.close()
  await direct.close()
  console.table({
    'bare Socket.IO, to all': describe(bare),
    'to all of a tenant, process 1': describe(byInstance[0] ?? []),
    'to all of a tenant, process 2': describe(byInstance[1] ?? []),
    'to one': describe(toOne),
    'request alone': describe(requests),
  })
  const all = byInstance.flat()
  const between = Math.abs(quantile(byInstance[0] ?? [], 0.5) - quantile(byInstance[1] ?? [], 0.5))
  console.log(
    `times bare: p50 ${round(quantile(all, 0.5) / quantile(bare, 0.5))}, p99 ${round(quantile(all, 0.99) / quantile(bare, 0.99))}`,
  )
  console.log(`between the processes: p50 ${round(between)} ms apart`)

  const behindCaddy = await openBrowsers('whatsapp:contact_update', [
    { url: gateway.url, cookie: many.cookie ?? '', count },
  ])
  const names: string[] = []
  const began = now()
  for (let index = 0; index < changesAroundTheKill; index++) {
    names.push(await addContact(many))
    if (index === changesAroundTheKill / 4) await instances[0]?.kill()
    await delay(50)
  }
  const after = await behindCaddy.missed(names)
  console.log(
    `process killed amid ${names.length} changes: ${JSON.stringify(after)} after ${round((now() - began) / 1000)} s`,
  )
  await behindCaddy.close()
  await gateway.stop()
  for (const instance of instances) await instance.kill()
  await product.stop()
  await database.drop()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
