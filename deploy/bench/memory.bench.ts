import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@prosa/kernel/free-port'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { SandboxServer } from '@prosa/sandbox/server/server'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { Visitor } from '../test/visitor.ts'
import type { MemoryReport } from './report-memory.ts'

/**
 * Memory per idle number against Baileys alone with keys in memory; slopes leave out fixed costs. 5 pre-keys instead of 812, which only
 * bare Baileys keeps in memory.
 */
const steps = [0, 10, 15, 20, 25, 30, 35, 40, 45, 50]
const warm = 10
const settleMs = 4000
/** Limit of the ratio to Baileys alone. */
const aim = 1.3

/** 50 numbers take less than the reserves of V8 and malloc, so both processes run with small reserves. */
const keepLittle = {
  args: ['--max-semi-space-size=1', '--no-opt', '--no-sparkplug', '--no-flush-bytecode'],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536' },
}

const child = (file: string, argument: string[], env: NodeJS.ProcessEnv) =>
  fork(file, argument, {
    execArgv: [
      '--expose-gc',
      ...keepLittle.args,
      '--import',
      'tsx',
      '--import',
      join(import.meta.dirname, 'report-memory.ts'),
    ],
    env: { PATH: process.env.PATH, ...keepLittle.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

const received = async <T>(from: ChildProcess, read: (message: unknown) => T | undefined): Promise<T> => {
  const over = new AbortController()
  const gone = once(from, 'exit', { signal: over.signal }).then(() => {
    throw new Error('the process ended')
  })
  const next = async () => {
    for (;;) {
      const [message] = await once(from, 'message', { signal: over.signal })
      const found = read(message)
      if (found !== undefined) return found
    }
  }
  try {
    return await Promise.race([next(), gone])
  } finally {
    over.abort()
  }
}

const memoryOf = async (process: ChildProcess): Promise<MemoryReport> => {
  const report = received(process, (message) => (message as { memory?: MemoryReport }).memory)
  process.send('memory')
  return report
}

/** Bytes per number: median slope over all pairs, robust to outliers. */
const slope = (points: readonly { numbers: number; bytes: number }[]): number => {
  const slopes = points
    .flatMap((from, index) =>
      points.slice(index + 1).map((to) => (to.bytes - from.bytes) / (to.numbers - from.numbers)),
    )
    .sort((one, other) => one - other)
  const middle = (slopes.length - 1) / 2
  return ((slopes[Math.floor(middle)] ?? 0) + (slopes[Math.ceil(middle)] ?? 0)) / 2
}

const folder = await mkdtemp(join(tmpdir(), 'prosa-bench-memory-'))
// As root, data in a closed folder would be moved elsewhere and stay.
await chmod(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') })
const network = new SandboxServer({ fewPreKeys: true })
await network.start()
const port = await freePort()
const product = child(join(import.meta.dirname, '../test/host-process.ts'), [], {
  DATABASE_URL: postgres.url,
  WA_WEBSOCKET_URL: network.url,
  PROSA_PORT: String(port),
  PROSA_SECRET: randomBytes(32).toString('hex'),
  PROSA_FILES_DIR: join(folder, 'files'),
  PROSA_MAX_CONNECTIONS: String(Math.max(...steps)),
  LOG_LEVEL: 'fatal',
})
const alone = child(join(import.meta.dirname, '../../services/sandbox/src/testing/bare-numbers.ts'), [network.url], {})

const linkAlone = async (phone: Phone) => {
  const { name } = phone.account
  const about = (message: unknown) => {
    const update = message as { name?: string; qr?: string; open?: boolean }
    return update.name === name ? update : undefined
  }
  const code = received(alone, (message) => about(message)?.qr)
  alone.send({ link: name })
  const open = received(alone, (message) => about(message)?.open)
  await phone.scan(await code)
  await open
}

try {
  await Promise.all(
    [product, alone].map((each) => received(each, (message) => (message === 'ready' ? true : undefined))),
  )
  const attendant = await new Visitor(`http://127.0.0.1:${port}`).register()
  const measured: { numbers: number; product: MemoryReport; alone: MemoryReport }[] = []
  let numbers = 0
  for (const step of steps) {
    for (; numbers < step; numbers++) {
      const digits = String(numbers).padStart(2, '0')
      await attendant.link(network.addPhone(`55119000001${digits}`, `Loja ${digits}`), `Loja ${digits}`)
      await linkAlone(network.addPhone(`55119000002${digits}`, `Sozinha ${digits}`))
    }
    await delay(settleMs)
    measured.push({ numbers, product: await memoryOf(product), alone: await memoryOf(alone) })
  }
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1).padStart(9)
  console.log('linked numbers   Prosa: RSS, held MB    Baileys alone: RSS, held MB')
  for (const { numbers: count, product: ours, alone: bare } of measured)
    console.log(
      `${String(count).padEnd(14)} ${megabytes(ours.rss)} ${megabytes(ours.held)}        ${megabytes(bare.rss)} ${megabytes(bare.held)}`,
    )
  for (const kind of ['rss', 'held'] as const) {
    const perNumber = (who: 'product' | 'alone') =>
      slope(
        measured
          .filter((each) => each.numbers >= warm)
          .map((each) => ({ numbers: each.numbers, bytes: each[who][kind] })),
      )
    const [ours, bare] = [perNumber('product'), perNumber('alone')]
    console.log(
      `${kind} for each number: Prosa ${Math.round(ours / 1024)} kB, Baileys alone ${Math.round(bare / 1024)} kB, ${(ours / bare).toFixed(2)} times (aim: at most ${aim})`,
    )
  }
} finally {
  product.kill('SIGKILL')
  alone.kill('SIGKILL')
  await network.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
