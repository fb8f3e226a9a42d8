import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { until } from '@prosa/kernel/testing/until'
import { keyRoutes } from '@prosa/product/keys/key-routes'
import { type DuckDb, openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { testProjections } from '@prosa/projections/testing/test-projections'
import { runReplay } from '@prosa/streams/replay/run-replay'
import { type KillableBroker, noKillableBroker, startKillableBroker } from '@prosa/streams/testing/kafka-broker'
import { type ReadRecord, readTopic } from '@prosa/streams/testing/read-topic'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const [ana, bia, lia] = ['ana', 'bia', 'lia'].map(idOf) as [string, string, string]
const messages = 3000

const now = 9000
let prosa: Awaited<ReturnType<typeof testProjections>>
let url: string
let key: string
let all: PublishedEvent[]
let folder: string
let duckdb: DuckDb

const received = (number: number): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: `message ${number}`,
    connectionId: idOf('connection'),
    content: { kind: 'text', text: `SEGREDO ${number}` },
    sentAt: at(number),
  },
})

const newKey = async (user: string, path: string) => {
  const cookie = `${sessionCookie}=${(await prosa.ports.browserSessions.issue(user)).token}`
  const payload = { name: 'Reprodução', scopes: ['streams'], expiresInDays: 30 }
  const reply = await prosa.app.inject({ method: 'POST', url: path, headers: { cookie }, payload })
  expect(reply.statusCode, reply.body).toBe(201)
  return (reply.json() as { id: string; key: string }).key
}

const eventsIn = (text: string): PublishedEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

beforeAll(async () => {
  prosa = await testProjections({ now: () => at(now) })
  await prosa.app.register(keyRoutes(prosa.ports))
  url = await prosa.app.listen({ port: 0, host: '127.0.0.1' })
  for (const [user, name] of [
    [ana, 'ana'],
    [bia, 'bia'],
    [lia, 'lia'],
  ] as const)
    await prosa.append(user, `user-${user}`, {
      type: 'UserRegistered',
      data: { firstName: name, lastName: 'S', email: `${name}@example.com`, credentialId: idOf(`password ${name}`) },
    })
  await prosa.append(lia, `user-${lia}`, { type: 'RoleGranted', data: { role: 'analyst' } })
  for (let number = 0; number < messages; number++)
    await prosa.append(number % 3 === 0 ? bia : ana, `chat-${idOf(`contact ${number % 7}`)}`, received(number))
  await until(async () => (await prosa.ports.roles.of(lia)).includes('analyst'))
  key = await newKey(lia, '/api/analyst/keys')
  const reply = await prosa.app.inject({ url: '/api/streams/events', headers: { authorization: `Bearer ${key}` } })
  all = eventsIn(reply.body)
  expect(all.length).toBeGreaterThan(messages)
  duckdb = await openDuckDb()
}, 120_000)
afterAll(async () => {
  duckdb?.close()
  await prosa?.stop()
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-replay-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Run {
  code: number
  stdout: string
  stderr: string
}

/** Only of the log as it was at first: the export itself is an event, too. */
const upTo = () => ['--until', all.at(-1)?.position ?? '']

const run = async (
  args: string[],
  env: NodeJS.ProcessEnv = {},
  signal = new AbortController().signal,
): Promise<Run> => {
  let [stdout, stderr] = ['', '']
  const collect = new Writable({
    write(chunk, _, done) {
      stdout += chunk
      done()
    },
  })
  const terminal = {
    write(text: string | Uint8Array) {
      stderr += text
      return true
    },
  }
  const surroundings = {
    env: { PROSA_URL: url, PROSA_KEY: key, ...env },
    cwd: folder,
    stdout: collect,
    stderr: terminal,
  }
  return { code: await runReplay(args, surroundings, signal), stdout, stderr }
}

const complete = () => `Completo: ${all.length.toLocaleString('pt-BR')} eventos.`
const fileOf = (name: string) => readFile(join(folder, name), 'utf8')
const sizeOf = async (name: string) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0
const isIncomplete = (name: string) => existsSync(join(folder, `${name}.resume`))

/** Passes connections on, and cuts each after so many bytes of the answer, while any are left. */
const cuttingProxy = async (cuts: number[]): Promise<{ url: string; server: Server }> => {
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY
    upstream.on('data', (bytes) => {
      client.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left > 0) return
      client.destroySoon()
      upstream.destroy()
    })
    client.on('data', (bytes) => upstream.write(bytes))
    for (const socket of [client, upstream])
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroySoon()
          upstream.destroy()
        })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('npm run replay', () => {
  it('writes every event once and in order to a file, and leaves nothing beside it', async () => {
    const { code, stderr } = await run(['--to', 'eventos.ndjson', ...upTo()])
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, complete()])
    expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all)
    expect(isIncomplete('eventos.ndjson')).toBe(false)
  })

  it('writes to standard output what is chosen, and nothing else', async () => {
    const [from, to] = [all[500], all[600]]
    const byPosition = await run(['--to', '-', '--from', from?.position ?? '', '--until', to?.position ?? ''])
    expect(eventsIn(byPosition.stdout)).toEqual(all.slice(501, 601))
    const byTime = await run(['--to', '-', '--from', from?.time ?? '', '--until', to?.time ?? ''])
    expect(eventsIn(byTime.stdout)).toEqual(all.slice(500, 600))
    const type = 'prosa.identity.account-registered.v1'
    expect(eventsIn((await run(['--to', '-', '--type', type])).stdout).map((each) => each.type)).toEqual([
      type,
      type,
      type,
    ])
    const own = await run(['--to', '-'], { PROSA_KEY: await newKey(ana, '/api/keys') })
    expect(new Set(eventsIn(own.stdout).map(({ tenant }) => tenant)).size).toBe(1)
  })

  it('goes on where it was interrupted, as often as it is, and cuts off what is not whole', async () => {
    const args = ['--to', 'eventos.ndjson', '--speed', '600x', ...upTo()]
    let codes: number[] = []
    for (let times = 0; times < 4; times++) {
      const stopping = new AbortController()
      const running = run(args, {}, stopping.signal)
      const before = await sizeOf('eventos.ndjson')
      await until(async () => (await sizeOf('eventos.ndjson')) > before + 5000)
      stopping.abort()
      const { code, stderr } = await running
      codes = [...codes, code]
      expect(stderr).toContain('O mesmo comando continua daqui.')
      expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all.slice(0, stateCount(stderr)))
      // As a process that was killed while it wrote leaves it.
      await appendFile(join(folder, 'eventos.ndjson'), '{"specversion":"1.0","id":"half an ev')
    }
    expect(codes).toEqual([130, 130, 130, 130])
    const last = await run(['--to', 'eventos.ndjson', ...upTo()])
    expect([last.code, last.stderr]).toEqual([0, expect.stringMatching(/^Continuando depois de /)])
    expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all)
  })

  it.each(['csv', 'parquet'])('writes %s that DuckDB reads, also while it is incomplete', async (format) => {
    const name = `eventos.${format}`
    const idsIn = async () => {
      const path = join(folder, name)
      const source = format === 'csv' ? `read_csv('${path}', header = true, all_varchar = true)` : `'${path}'`
      return (await duckdb.query(`select id from ${source}`)).map(({ id }) => id)
    }
    const stopping = new AbortController()
    const running = run(['--to', name, '--speed', '600x', ...upTo()], {}, stopping.signal)
    await until(() => isIncomplete(name))
    setTimeout(() => stopping.abort(), 500)
    const { code, stderr } = await running
    expect([code, await idsIn()]).toEqual([130, all.slice(0, stateCount(stderr)).map(({ id }) => id)])
    await appendFile(join(folder, name), 'half')
    expect((await run(['--to', name, ...upTo()])).code).toBe(0)
    expect(await idsIn()).toEqual(all.map(({ id }) => id))

    const type = 'prosa.contacts.message-received.v1'
    const ofType = `tipo.${format}`
    expect((await run(['--to', ofType, '--type', type, ...upTo()])).code).toBe(0)
    const [counted] = await duckdb.query(`select count(*) as n, max("sentAt") as last from '${join(folder, ofType)}'`)
    expect(counted).toMatchObject({ n: String(messages) })
    expect(await run(['--to', `nada.${format}`, '--type', 'prosa.nada.v1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Esta versão não conhece prosa.nada.v1'),
    })
    expect(existsSync(join(folder, `nada.${format}`))).toBe(false)
  })

  it('loses and doubles nothing where connections are cut at any byte', async () => {
    const cuts = Array.from({ length: 12 }, (_, index) => 300 + index * 7919)
    const proxy = await cuttingProxy(cuts)
    try {
      const { code, stderr } = await run(['--to', 'eventos.ndjson', ...upTo()], { PROSA_URL: proxy.url })
      expect([code, cuts]).toEqual([0, []])
      expect(stderr).toContain('a conexão caiu; tentando de novo')
      expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all)
    } finally {
      proxy.server.close()
    }
  })

  it('is killed at any moment and goes on: each event is there once', async () => {
    const program = await builtProgram(join(import.meta.dirname, '../../services/streams/src/replay/main.ts'))
    const args = [program, '--to', 'eventos.ndjson', '--quiet', ...upTo()]
    const env = { ...process.env, PROSA_URL: url, PROSA_KEY: key, INIT_CWD: folder }
    let [kills, code] = [0, null as number | null]
    while (code === null) {
      const child = spawn(process.execPath, [...args, ...(kills < 8 ? ['--speed', '3000x'] : [])], {
        env,
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      if (kills < 8) {
        await until(() => isIncomplete('eventos.ndjson'))
        setTimeout(() => child.kill('SIGKILL'), 150 + kills++ * 60)
      }
      ;[code] = (await ended) as [number | null]
    }
    expect([code, kills]).toEqual([0, 8])
    expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all)
  }, 120_000)

  it('keeps a file that it did not begin, or began with another question, unless told to overwrite it', async () => {
    await writeFile(join(folder, 'eventos.ndjson'), 'my own\n')
    const args = ['--to', 'eventos.ndjson', ...upTo()]
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('já existe') })
    expect(await fileOf('eventos.ndjson')).toBe('my own\n')
    expect((await run([...args, '--overwrite'])).code).toBe(0)
    expect(eventsIn(await fileOf('eventos.ndjson'))).toEqual(all)

    const stopping = new AbortController()
    const running = run(['--to', 'outro.ndjson', '--speed', '600x', ...upTo()], {}, stopping.signal)
    await until(async () => (await sizeOf('outro.ndjson')) > 0)
    expect(await run(['--to', 'outro.ndjson', ...upTo()])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/outra reprodução \(processo \d+\) ainda escreve nele/),
    })
    stopping.abort()
    expect((await running).code).toBe(130)
    expect(await run(['--to', 'outro.ndjson', '--service', 'billing', ...upTo()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('foi começado com outra pergunta'),
    })
    await writeFile(join(folder, 'outro.ndjson'), '')
    const shortened = { code: 1, stderr: expect.stringContaining('foi encurtado') }
    expect(await run(['--to', 'outro.ndjson', ...upTo()])).toMatchObject(shortened)
  })

  it('explains what is wrong, and how the command ends', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--speed 60x') })
    expect(await run(['--to', 'eventos.txt'])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['--to', '-'], { PROSA_KEY: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Falta a chave'),
    })
    const foreign = { code: 1, stdout: '', stderr: expect.stringContaining('não reconhece esta chave') }
    expect(await run(['--to', '-'], { PROSA_KEY: `${key.slice(0, -4)}0000` })).toMatchObject(foreign)
    expect(await run(['--to', '-', '--type', 'prosa.nada.v1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Não há este tipo de evento'),
    })
    expect(await run(['--to', 'nenhuma/pasta/eventos.ndjson'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('esta pasta não existe'),
    })
    const wrongKey = { PROSA_KEY: 'prosa_errada' }
    expect((await run(['--to', 'eventos.csv'], wrongKey)).code).toBe(1)
    expect([existsSync(join(folder, 'eventos.csv')), isIncomplete('eventos.csv')]).toEqual([false, false])
    expect(await run(['--to', 'kafka:eventos'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Diga onde está o Kafka'),
    })
  })
})

const stateCount = (stderr: string) =>
  Number(/Interrompido depois de ([\d.]+) eventos/.exec(stderr)?.[1]?.replaceAll('.', '') ?? Number.NaN)

describe.skipIf(noKillableBroker)(`npm run replay to a real Kafka${noKillableBroker}`, () => {
  let broker: KillableBroker
  beforeAll(async () => {
    broker = await startKillableBroker()
  }, 90_000)
  afterAll(() => broker?.remove())

  const expectAll = (records: readonly ReadRecord[]) => {
    for (const subject of new Set(all.map((event) => event.subject)))
      expect(records.filter(({ key: of }) => of === subject).map(({ headers }) => headers.ce_id)).toEqual(
        all.filter((event) => event.subject === subject).map(({ id }) => id),
      )
    expect(records).toHaveLength(all.length)
  }

  it('writes each event once, with the ids of the log, over interruptions and deaths of the broker', async () => {
    const topic = 'analise.eventos'
    const args = ['--to', `kafka:${topic}`, '--brokers', broker.brokers.join(), ...upTo()]
    for (const ms of [1200, 1500]) {
      const stopping = new AbortController()
      setTimeout(() => stopping.abort(), ms)
      const { code, stderr } = await run([...args, '--speed', '1000x'], {}, stopping.signal)
      expect([code, stderr]).toEqual([130, expect.stringContaining('O mesmo comando continua daqui.')])
    }
    const running = run([...args, '--speed', '1500x'])
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await broker.kill()
    await broker.start()
    const { code, stderr } = await running
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, complete()])
    const records = await readTopic(broker.brokers, topic)
    expectAll(records)
    const [record] = records
    const event = all.find(({ id }) => id === record?.headers.ce_id)
    expect(JSON.parse(record?.value ?? '')).toEqual(event?.data)
    expect(record?.headers).toMatchObject({ ce_type: event?.type, ce_position: event?.position })
    // Once more: there is nothing to add.
    expect((await run(args)).code).toBe(0)
    expect(await readTopic(broker.brokers, topic)).toHaveLength(all.length)

    expect(await run([...args, '--service', 'identity'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tem eventos de outra pergunta'),
    })
  }, 180_000)

  it('says in a sentence where no broker answers', async () => {
    const { code, stderr } = await run(['--to', 'kafka:nada', '--brokers', '127.0.0.1:1', '--until', '2020-01-01'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('O Kafka não aceitou os eventos')])
  }, 180_000)
})
