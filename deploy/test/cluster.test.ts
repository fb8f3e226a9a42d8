import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { ClientToServer, ServerToClient } from '@prosa/contracts/realtime'
import { freePort } from '@prosa/kernel/free-port'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { readErasures } from '@prosa/kernel/privacy/erasure-journal'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPhone } from '../browser/simulated-phone.ts'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { readClusterOptions } from '../src/cluster/cluster-options.ts'
import { pauseBeforeStart } from '../src/cluster/plan.ts'
import { type Cluster, clusterFile, runCluster } from '../src/cluster/run-cluster.ts'
import { clusterStatus } from '../src/cluster/status.ts'
import { processNames } from '../src/topology/processes.ts'
import { clusterConfig } from './clustered-product.ts'
import { newKey, Program } from './key-holder.ts'
import { keywordFlow } from './keyword-flow.ts'
import { Visitor } from './visitor.ts'

const inRoot = (path: string) => join(import.meta.dirname, '../..', path)

describe('the options of a cluster', () => {
  it('are the counts of the topology unless given, and are explained where they make no sense', () => {
    expect(readClusterOptions([]).counts).toMatchObject({
      projections: 2,
      sessions: 2,
      realtime: 2,
      identity: 1,
      web: 1,
    })
    expect(readClusterOptions(['--sessions', '3', '--port', '4000', '--without-redis'])).toMatchObject({
      port: 4000,
      counts: { sessions: 3 },
      usesRedis: false,
      usesCaddy: true,
    })
    for (const wrong of [['--sessions', '0'], ['--sessions', 'x'], ['--port', '70000'], ['--what'], ['begin']])
      expect(() => readClusterOptions(wrong)).toThrow(/npm run cluster -- /)
  })

  it('wait longer each time that a process ends soon after its start', () => {
    const pauses = [0, 0, 0, 0, 0, 0, 0, 0].reduce<number[]>(
      (all) => [...all, pauseBeforeStart(all.at(-1) ?? 0, 10)],
      [],
    )
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(pauseBeforeStart(30_000, 60_000)).toBe(500)
  })
})

type BrowserSocket = Socket<ServerToClient, ClientToServer>

/** Comes back as the web app does, from the position that it received last: one that breaks on a busy machine misses nothing. */
const resuming = (socket: BrowserSocket) => {
  let position: string | undefined
  const openAgain = () => {
    if (!socket.active) setTimeout(() => socket.connect(), 1000)
  }
  socket.auth = (send) => send({ position })
  socket.on('connect_error', openAgain)
  socket.on('disconnect', (reason) => {
    if (reason !== 'io client disconnect') openAgain()
  })
  for (const event of ['position', 'resumed'] as const)
    socket.on(event, (reached: { position: string }) => {
      position = reached.position
    })
  return socket
}

/** Of a shop and a person. */
const numbers = [1, 2, 3].map((each): [string, string] => [`1190000009${each}`, `1196655443${each}`]).values()

const caddy = await installedCaddy()
const gateway = caddy ? `real Caddy ${caddy.version}` : 'the local router: no Caddy is installed'

describe(`a cluster behind ${gateway}`, () => {
  let folder: string
  let database: TestPostgres
  let cluster: Cluster
  let keeper: Visitor | undefined
  const printed: string[] = []
  const state = () =>
    JSON.parse(readFileSync(clusterFile(folder), 'utf8')) as {
      processes: { id: string; name: string; pid: number }[]
      beside: { id: string; pid: number | null }[]
    }
  const processes = () => state().processes

  beforeAll(async () => {
    const { buildCluster }: { buildCluster: () => Promise<unknown> } = await import(inRoot('scripts/builds/builds.mjs'))
    await buildCluster()
    folder = await mkdtemp(join(tmpdir(), 'prosa-cluster-'))
    database = await testPostgres()
    const port = await freePort()
    cluster = await runCluster({
      program: await builtProgram(inRoot('deploy/src/local-service.ts')),
      config: clusterConfig(folder, port),
      databaseUrl: database.url,
      secret: 'ab'.repeat(32),
      options: readClusterOptions(['--projections', '1']),
      environment: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', PROSA_KIWIFY_APPROVED_TOKENS: 'token-of-the-test' },
      print: (line) => printed.push(line),
    })
  }, 240_000)
  afterAll(async () => {
    await cluster?.stop()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  it('serves pages, documents and health where no endpoint is', async () => {
    const at = (path: string, headers = {}) => fetch(cluster.url + path, { headers })
    expect(await (await at('/')).text()).toContain('Alguém já está respondendo.')
    expect(await (await at('/live-chat')).text()).toContain('<div id="root">')
    const document = (await (await at('/api/docs/json')).json()) as { paths: object }
    expect(Object.keys(document.paths)).toContain('/api/whatsapp/contacts/{id}')
    expect((await at('/metrics', { authorization: 'Bearer x' })).status).toBe(404)
    expect(await (await at('/api/nothing')).json()).toMatchObject({ type: 'route_not_found' })
    const health = (await (await at('/health')).json()) as { name: string; state: string }[]
    expect(new Set(health.map(({ name }) => name))).toEqual(new Set(['simulator', ...processNames]))
    expect(new Set(health.map(({ state }) => state))).toEqual(new Set(['ready']))
    expect(await (await at('/health', { accept: 'text/html' })).text()).toContain('O Prosa está no ar.')
  })

  it('walks registration, live chat, a flow, a webhook and a death through the gateway', async () => {
    const marina = await new Visitor(cluster.url).register()
    await until(async () => (await marina.get<User>('/api/auth/user')).subscriptionStatus === 'active')
    const shop = await addPhone(cluster.url, 'Padaria Sol', '11900000001')
    const ana = await addPhone(cluster.url, 'Ana', '11988776655')
    const connection = await marina.link(shop, 'Padaria')
    const socket = resuming(marina.socket())
    const polling = resuming(
      io(cluster.url, {
        path: '/socket.io',
        transports: ['polling'],
        withCredentials: true,
        extraHeaders: { cookie: marina.cookie ?? '' },
      }),
    )
    const pushed: { contactId: string }[] = []
    let following = 0
    for (const each of [socket, polling]) {
      each.once('whatsapp:new_message', (push: { contactId: string }) => void pushed.push(push))
      each.once('resumed', () => following++)
    }
    await until(() => following === 2)
    await ana.write(shop.number, 'Olá, vocês abrem domingo?')
    await until(() => pushed.length === 2)
    const [{ contactId } = { contactId: '' }, polled] = pushed
    expect(polled?.contactId).toBe(contactId)
    expect(await marina.messages(contactId)).toMatchObject([{ content: 'Olá, vocês abrem domingo?' }])
    await marina.send(connection.id, contactId, 'Abrimos das 7h às 13h.')
    await ana.received(shop.number, ({ text }) => text === 'Abrimos das 7h às 13h.')

    const { id } = await marina.post<{ id: string }>('/api/flows', {
      name: 'Cardápio',
      document: keywordFlow('cardápio', 'Hoje: pão de queijo.'),
    })
    await marina.post(`/api/flows/${id}/publish`, { basedOn: 0 })
    const bia = await addPhone(cluster.url, 'Bia', '11977665544')
    await bia.write(shop.number, 'cardápio')
    await bia.received(shop.number, ({ text }) => text === 'Hoje: pão de queijo.')

    const report = JSON.parse(
      readFileSync(inRoot('services/billing/src/kiwify/samples/order-approved-card.json'), 'utf8'),
    )
    const body = JSON.stringify(report)
    const deliver = async (signature: string) =>
      fetch(`${cluster.url}/kiwify/payment/approved?signature=${signature}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    expect((await deliver(createHmac('sha1', 'token-of-the-test').update(body).digest('hex'))).status).toBe(200)
    expect((await deliver('0'.repeat(40))).status).toBeGreaterThanOrEqual(400)

    for (const name of ['contacts', 'realtime']) {
      const victim = processes().find((each) => each.name === name)
      process.kill(victim?.pid ?? Number.NaN, 'SIGKILL')
      await until(() => printed.includes(`${victim?.id} ended by itself (SIGKILL) and starts again in 0.5 s`))
    }
    await ana.write(shop.number, 'E segunda?')
    await until(async () => {
      const { status, body } = await marina.ask<{ content: string }[]>(
        'GET',
        `/api/whatsapp/contacts/${contactId}/messages`,
      )
      return status === 200 && body.some(({ content }) => content === 'E segunda?')
    }, 60_000)
    await until(() => socket.connected && polling.connected)
    // As browsers do: the gateway waits ten seconds for a new process, which may take longer.
    const key = { 'idempotency-key': randomUUID() }
    const answer = { connectionId: connection.id, contactId, message: 'Segunda também.' }
    const send = async () => (await marina.ask('POST', '/api/whatsapp/send-message', answer, key)).status
    await until(async () => {
      const status = await send()
      if (status !== 503) expect(status).toBe(202)
      return status === 202
    }, 60_000)
    await ana.received(shop.number, ({ text }) => text === 'Segunda também.')
    const texts = (await marina.messages(contactId)).map(({ content }) => content)
    expect(texts.sort()).toEqual(
      ['Abrimos das 7h às 13h.', 'E segunda?', 'Olá, vocês abrem domingo?', 'Segunda também.'].sort(),
    )
    socket.close()
    polling.close()
  }, 180_000)

  it('keeps the journal of erasures where npm run backup and npm run restore look for it', async () => {
    const rita = await new Visitor(cluster.url).register()
    const { id } = await rita.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' })
    expect((await rita.ask('DELETE', `/api/whatsapp/contacts/${id}`)).status).toBe(200)
    const journal = join(folder, 'erasures.jsonl')
    await until(async () => existsSync(journal) && (await readErasures(journal)).subjects.has(`contact:${id}`))
  }, 60_000)

  it('lets a program in by its key at every process that answers one, and no longer once it is revoked', async () => {
    const marina = await new Visitor(cluster.url).register()
    const shop = await addPhone(cluster.url, 'Padaria Lua', '11900000007')
    const bia = await addPhone(cluster.url, 'Bia', '11977665500')
    await marina.link(shop, 'Padaria')
    const flow = await marina.post<{ id: string }>('/api/flows', {
      name: 'Aviso',
      document: keywordFlow('nunca', 'Olá do fluxo.'),
    })
    await marina.post(`/api/flows/${flow.id}/publish`, { basedOn: 0 })
    const { id, key } = await newKey(marina)
    const program = new Program(cluster.url, key)
    const sent = await program.ask<{ contactId: string }>('POST', '/api/v1/messages', {
      phone: bia.number,
      text: 'Oi!',
    })
    expect([sent.status, sent.body]).toMatchObject([202, { status: 'queued' }])
    await bia.received(shop.number, ({ text }) => text === 'Oi!')
    const { contactId } = sent.body
    expect((await program.ask('POST', `/api/v1/flows/${flow.id}/runs`, { contactId })).status).toBe(201)
    await bia.received(shop.number, ({ text }) => text === 'Olá do fluxo.')
    const messages = await program.ask<{ items: { text: string }[] }>('GET', `/api/v1/contacts/${contactId}/messages`)
    expect(messages.body.items.map(({ text }) => text)).toContain('Oi!')
    await marina.ask('DELETE', `/api/keys/${id}`)
    const refused = [
      await program.ask('GET', '/api/v1/contacts'),
      await program.ask('POST', '/api/v1/messages', { contactId, text: 'De novo' }),
      await program.ask('POST', `/api/v1/flows/${flow.id}/runs`, { contactId }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401])
  }, 120_000)

  it('says who has which consumers and lines', async () => {
    await until(async () => (await clusterStatus(clusterFile(folder))).includes('reactor receive-on-message-arrived'))
    const status = await clusterStatus(clusterFile(folder))
    const [, ofContacts = ''] = /\ncontacts-1([\s\S]*?)\n\S/.exec(status) ?? []
    expect(ofContacts).toContain('reactor receive-on-message-arrived')
    expect(status).toMatch(/\nsessions-[12] +ready +\S+\n(?: {2}.*\n)*? {2}1 lines\n/)
    expect(status).toContain('  projection contact-list')
    for (const { id } of processes()) expect(status).toContain(`\n${id} `)
    expect(status).not.toContain('(another)')
  })

  const ofOurs = [
    ['projections', 'identity', 'web'],
    ['sessions', 'automation', 'billing', 'streams'],
  ]
  /** Caddy and Redis where they are installed. */
  const killedAtOnce = [...shortOrLong([ofOurs.flat()], ofOurs), ['caddy', 'redis']]

  it.each(killedAtOnce.map((kinds) => [kinds]))(
    'loses and doubles nothing of a conversation when %s are killed',
    async (kinds) => {
      // Few may register from one address.
      keeper ??= await new Visitor(cluster.url).register()
      const marina = keeper
      const [shopNumber, evasNumber] = numbers.next().value ?? ['', '']
      const shop = await addPhone(cluster.url, 'Padaria Mar', shopNumber)
      const eva = await addPhone(cluster.url, 'Eva', evasNumber)
      const connection = await marina.link(shop, 'Padaria')
      const socket = resuming(marina.socket())
      let contactId = ''
      const texts = async () => {
        contactId ||= (await marina.contacts('waiting')).find(({ name }) => name === 'Eva')?.id ?? ''
        return contactId ? (await marina.messages(contactId)).map(({ content }) => content) : []
      }
      /** Read as the page does it: only when the socket says so. */
      const shown = new Set<string>()
      const read = async () => {
        for (const text of await until(() => texts().catch(() => undefined), 60_000)) shown.add(text)
      }
      socket.on('resumed', ({ complete }) => {
        if (!complete) void read()
      })
      socket.on('whatsapp:new_message', (push) => {
        contactId = push.contactId
        void read()
      })
      await new Promise<void>((resolve) => socket.once('resumed', () => resolve()))
      await eva.write(shop.number, 'Antes')
      await until(() => shown.has('Antes'))

      const victims = [...processes(), ...state().beside].filter(({ id }) => kinds.includes(id.replace(/-\d+$/, '')))
      for (const { pid } of victims) process.kill(pid ?? Number.NaN, 'SIGKILL')
      // Caddy stands before the phones too; twice it would be two messages below.
      await until(() => eva.write(shop.number, 'Pergunta').catch(() => undefined), 60_000)
      // As browsers do: the same command again until it is answered.
      const key = { 'idempotency-key': randomUUID() }
      const reply = { connectionId: connection.id, contactId, message: 'Resposta' }
      const sent = () => marina.ask('POST', '/api/whatsapp/send-message', reply, key).catch(() => ({ status: 0 }))
      await until(async () => (await sent()).status === 202, 60_000)
      await until(() => eva.received(shop.number, ({ text }) => text === 'Resposta').catch(() => undefined), 60_000)
      await until(() => shown.has('Pergunta') && shown.has('Resposta'), 60_000)
      expect((await texts()).toSorted()).toEqual(['Antes', 'Pergunta', 'Resposta'])
      expect((await eva.messages(shop.number)).filter(({ text }) => text === 'Resposta')).toHaveLength(1)

      for (const { id } of victims) expect(printed.join('\n')).toContain(`${id} ended by itself (SIGKILL)`)
      const states = async () =>
        ((await (await fetch(`${cluster.url}/health`)).json()) as { state: string }[]).map(({ state }) => state)
      await until(async () => (await states().catch(() => [''])).every((each) => each === 'ready'), 60_000)
      await eva.write(shop.number, 'Depois')
      await until(() => shown.has('Depois'))
      socket.close()
    },
    180_000,
  )

  it('drains every process when it is asked to end', async () => {
    const ids = processes().map(({ id }) => id)
    const pids = processes().map(({ pid }) => pid)
    const codes = await cluster.stop()
    expect(codes).toMatchObject(Object.fromEntries(ids.map((id) => [id, 0])))
    expect(new Set(Object.values(codes))).toEqual(new Set([0]))
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    await expect(clusterStatus(clusterFile(folder))).rejects.toThrow('No cluster is running')
  }, 60_000)
})
