import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowRunEvents } from '@prosa/contracts/events/automation'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { silentLog } from '@prosa/kernel/observability/log'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { openPorts } from '@prosa/product/process/open-ports'
import { expect, it } from 'vitest'
import { automation } from '../../automation.ts'
import { findFlowsOn } from '../queries.ts'
import { begins, flowOf, nodeOf, says } from '../testing/flow-of.ts'
import { noReadSide } from '../testing/no-read-side.ts'
import { recorderOf } from '../testing/recorder-of.ts'

type RunEvent = Stored<EventOf<typeof flowRunEvents>>

const rounds = shortOrLong(3, 100)
const peopleEachRound = 5
const tenant = randomUUID()
const connectionId = randomUUID()

/** Answers late, so that kills come between sending and recording. */
const startServer = async () => {
  const received: { key: string; contact: string }[] = []
  const server = createServer(async (request, response) => {
    received.push({ key: String(request.headers['idempotency-key']), contact: String(request.url).slice(1) })
    await delay(Math.random() * 60)
    response.end('{"situacao": "saiu"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close }
}

it(
  'is sent again with its key, and is a step of its run once, wherever the process is killed',
  async () => {
    const secret = randomBytes(32)
    const database = await testPostgres()
    const server = await startServer()
    const opening = { databaseUrl: database.url, masterSecret: secret, log: silentLog(), readSide: noReadSide }
    const ports = await openPorts({ ...opening, services: [automation] })
    const record = recorderOf(ports)
    const program = await builtProgram(join(import.meta.dirname, '../testing/automation-process.ts'))
    const start = () => {
      const child = spawn(process.execPath, [program, database.url, secret.toString('hex')], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const ended = once(child, 'exit')
      return async () => {
        child.kill('SIGKILL')
        await ended
      }
    }
    const request = nodeOf('consulta', 'request', {
      url: `${server.url}/{resposta}`,
      results: [{ path: 'situacao', variable: 'situacao' }],
    })
    const document = flowOf([begins, request, says('ok', '{situacao}')], ['start > consulta', 'consulta success > ok'])
    const people: string[] = []
    const write = async () => {
      const id = randomUUID()
      people.push(id)
      const data = { phone: null, lid: `${id}@lid`, name: 'Ana', origin: 'message' } as const
      await record(tenant, `contact-${id}`, { type: 'ContactAdded', data })
      const message = { messageId: randomUUID(), connectionId, content: { kind: 'text', text: id } as const }
      await record(tenant, `chat-${id}`, {
        type: 'MessageReceived',
        data: { ...message, sentAt: ports.clock.now() },
      })
    }
    let kill = start()
    try {
      await record(tenant, `connection-${connectionId}`, { type: 'ConnectionAdded', data: { name: 'Loja' } })
      const flowId = randomUUID()
      await record(
        tenant,
        `flow-${flowId}`,
        { type: 'FlowCreated', data: { name: 'Pedidos', folderId: null, document, origin: 'new' } },
        { type: 'FlowPublished', data: { version: 1, document } },
      )
      await until(async () => (await findFlowsOn(ports.pool, tenant).catch(() => [])).length === 1, 30_000)
      for (let round = 0; round < rounds; round++) {
        const before = server.received.length
        await Promise.all(Array.from({ length: peopleEachRound }, write))
        await until(() => server.received.length > before, 60_000)
        await delay(Math.random() * 80)
        await kill()
        kill = start()
      }
      const ofRuns = async () => {
        const found: RunEvent[] = []
        for await (const { events } of ports.store.readAll(beginning, { categories: ['flowRun'] }))
          found.push(...((await ports.codec.decode(events)) as RunEvent[]))
        return found
      }
      const count = (all: readonly RunEvent[], type: string) => all.filter((each) => each.type === type)
      await until(async () => count(await ofRuns(), 'FlowRunEnded').length === people.length, 120_000)
      const events = await ofRuns()
      const streams = people.map((id) => `flowRun-${id}`).sort()
      for (const type of ['FlowRequestAsked', 'FlowRequestAnswered', 'FlowMessageRequested'])
        expect([
          type,
          count(events, type)
            .map(({ stream }) => stream)
            .sort(),
        ]).toEqual([type, streams])
      const outputs = events.flatMap(({ type, data }) =>
        type === 'FlowStepTaken' && data.type === 'request' ? data.output : [],
      )
      expect(outputs).toEqual(people.map(() => 'success'))
      for (const id of people) {
        const keys = server.received.filter(({ contact }) => contact === id).map(({ key }) => key)
        expect(new Set(keys).size).toBe(1)
      }
      noteMeasurements('The sender of requests of flows killed under load', {
        ...{ rounds, runs: people.length, requests: server.received.length, twice: 0 },
        sentAgain: server.received.length - people.length,
      })
    } finally {
      await kill()
      await server.close()
      await ports.close()
      await database.drop()
    }
  },
  120_000 + rounds * 20_000,
)
