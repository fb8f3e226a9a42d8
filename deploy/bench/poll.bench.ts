import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@prosa/kernel/testing/until'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { Visitor } from '../test/visitor.ts'

/** Unchanged poll of the inbox against a bare route in the same process, over 16 keep-alive connections. Rounds alternate; medians. */
const rounds = 7
const roundMs = 2000
const connections = 16
const path = '/api/whatsapp/contacts?status=waiting'

interface Asked {
  url: string
  path: string
  status: 200 | 304
  headers: Record<string, string>
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const ask = ({ url, path, status, headers }: Asked, end: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url)
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const socket = connect(Number(port), hostname)
    let replies = 0
    let length = 0
    let got = 0
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('connect', () => socket.write(request))
    socket.on('data', (bytes) => {
      if (got === 0 && !bytes.subarray(0, 12).equals(Buffer.from(`HTTP/1.1 ${status}`)))
        return reject(new Error(`not ${status}: ${bytes.toString().slice(0, 300)}`))
      length ||= bytes.length
      got += bytes.length
      if (got < length) return
      if (got > length) return reject(new Error('a reply is longer than the one before'))
      got = 0
      replies++
      if (performance.now() < end) return socket.write(request)
      socket.destroy()
      resolve(replies)
    })
  })

const usedMicroseconds = async (server: ChildProcess) => {
  server.send('used')
  const [used] = await once(server, 'message')
  return Number(used)
}

const measure = async (server: ChildProcess, asked: Asked) => {
  const usedBefore = await usedMicroseconds(server)
  const began = performance.now()
  const counts = await Promise.all(Array.from({ length: connections }, () => ask(asked, began + roundMs)))
  const replies = counts.reduce((sum, count) => sum + count, 0)
  const rate = replies / ((performance.now() - began) / 1000)
  return { rate, microseconds: ((await usedMicroseconds(server)) - usedBefore) / replies }
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  const server = fork(join(import.meta.dirname, 'poll-server.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: postgres.url },
  })
  const [urls] = (await once(server, 'message')) as [{ product: string; bare: string }]
  const visitor = new Visitor(urls.product)
  await visitor.register()
  for (let index = 0; index < 50; index++)
    await visitor.ask('POST', '/api/whatsapp/contacts', { phone: `55119${String(80_000_000 + index)}` })
  const tag = await until(async () => {
    const { status, headers } = await visitor.ask('GET', path)
    return status === 200 ? headers.get('etag') : null
  })

  const bare: Asked = { url: urls.bare, path: '/', status: 200, headers: {} }
  const poll: Asked = {
    url: urls.product,
    path,
    status: 304,
    headers: { cookie: visitor.cookie ?? '', accept: 'application/json', 'if-none-match': tag },
  }
  const changed: Asked = { ...poll, status: 200, headers: { ...poll.headers, 'if-none-match': '"old"' } }
  for (const asked of [bare, poll, changed]) await measure(server, asked)
  const runs: Record<'bare' | 'poll' | 'changed', Awaited<ReturnType<typeof measure>>>[] = []
  for (let round = 0; round < rounds; round++)
    runs.push({
      bare: await measure(server, bare),
      poll: await measure(server, poll),
      changed: await measure(server, changed),
    })

  console.log(`Replies per second, node ${process.version}, ${rounds} rounds of ${roundMs} ms each`)
  const results = (name: 'bare' | 'poll' | 'changed') => ({
    'replies /s': Math.round(median(runs.map((run) => run[name].rate))),
    'server µs each': Math.round(median(runs.map((run) => run[name].microseconds))),
    'times bare': Number(median(runs.map((run) => run[name].rate / run.bare.rate)).toFixed(2)),
  })
  console.table({
    'bare Fastify': results('bare'),
    'unchanged poll (304)': results('poll'),
    'the same, read (200, 50 contacts)': results('changed'),
  })
  server.disconnect()
  await once(server, 'exit')
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
