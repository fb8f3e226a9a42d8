import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { automation } from '@prosa/automation/automation'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { identityEvents } from '@prosa/contracts/events/identity'
import { systemClock } from '@prosa/kernel/clock'
import { type CommandContext, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Decider } from '@prosa/kernel/domain/decider'
import { noPlanRules } from '@prosa/kernel/entitlements/plan-rules'
import { beginning } from '@prosa/kernel/event-store/port'
import { host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { openPorts } from '@prosa/kernel/process/open-ports'
import { until } from '@prosa/kernel/testing/until'
import { readSide } from '@prosa/projections/read-side'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { peopleInFlows, restingFlow } from '../test/people-in-flows.ts'
import { measure, median } from './measure.ts'

/**
 * Runs of flows that are due in the same moment, over many lines: from that second until every step is decided and what it says is
 * asked for in the log. Beside it, in the same run, bare commands by so many callers as timers are fired side by side, each of
 * which appends as many events as a decision of a run does. The cluster is durable.
 */
const runs = 1000
const lines = 50
const secondsUntilDue = 40
const rounds = Number(process.env.PROSA_ROUNDS ?? 3)
const bareMilliseconds = 2000
const bareCallers = 64
/** What a run that goes on and ends appends: its delay's step, what it says, that step, and its end. */
const eventsOfDecision = 4

type Event = EventOf<Pick<typeof identityEvents, 'UserLoggedIn'>>
const logIn: Decider<{ type: 'LogIn'; data: object }, Event, number, 'wrong_credentials'> = {
  initial: 0,
  decide: { LogIn: () => Array.from({ length: eventsOfDecision }, () => ({ type: 'UserLoggedIn', data: {} })) },
  evolve: { UserLoggedIn: (count) => count + 1 },
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const ports = await openPorts({
  databaseUrl: server.url,
  masterSecret: randomBytes(32),
  log: silentLog(),
  readSide,
  services: [automation],
  planRules: noPlanRules,
})
const running = await host([automation], ports, { hostname: '127.0.0.1', port: 0, trustedOrigins: [] })
try {
  const { store, codec } = ports
  const bare = commandHandler({
    ...{ store, codec, clock: systemClock, decider: logIn },
    ...({ category: 'user', foreign: 'wrong_credentials' } as const),
  })
  const bareCommands = () =>
    measure(bareCallers, bareMilliseconds, () => {
      const id = randomUUID()
      return async () => {
        const commandId = randomUUID()
        const about = { owner: null, causationId: commandId, correlationId: commandId }
        const context: CommandContext = { commandId, actor: { kind: 'user', id }, ...about }
        const outcome = await bare(id, { type: 'LogIn', data: {} }, context)
        if (!outcome.ok) throw new Error('a command of the measurement was refused')
      }
    })

  const eventsOf = async (owner: string, type: string) => {
    const found: string[] = []
    for await (const { events } of store.readAll(beginning, { categories: ['flowRun'] }))
      for (const event of events)
        if (event.metadata.owner === owner && event.type === type) found.push(event.metadata.recordedAt)
    return found
  }

  /** All of them rest until one moment; answers how long it then took, in milliseconds. */
  const runsDueTogether = async () => {
    const shop = peopleInFlows(ports)
    const connections = await Promise.all(Array.from({ length: lines }, () => shop.line()))
    const flowId = await shop.flow(restingFlow('oi', [5]))
    const known = 'select from flow_on where flow_id = $1'
    await until(async () => ((await ports.pool.query(known, [flowId])).rowCount ?? 0) > 0, 30_000)
    const due = Date.now() + secondsUntilDue * 1000
    const begin = async (index: number) => {
      const contactId = await shop.person()
      const connectionId = connections[index % lines] ?? ''
      const run = { runId: randomUUID(), flowId, version: 1 }
      const step = (number: number, nodeId: string) => ({ ...run, step: number, nodeId })
      const started = { ...run, connectionId, startedBy: 'keyword', startMessageId: randomUUID(), text: 'oi' } as const
      await shop.record(
        `flowRun-${contactId}`,
        { type: 'FlowRunStarted', data: started },
        { type: 'FlowStepTaken', data: { ...step(1, 'start'), type: 'trigger', output: null } },
        { type: 'FlowStepTaken', data: { ...step(2, 'says0'), type: 'message', output: null } },
        { type: 'FlowDelayStarted', data: { ...step(3, 'rests0'), until: new Date(due).toISOString() } },
      )
      // Whoever rests has written, and is known to the process that goes on with them.
      await shop.writes(contactId, connectionId, 'alô?')
    }
    for (let index = 0; index < runs; index += 50)
      await Promise.all(Array.from({ length: Math.min(50, runs - index) }, (_, each) => begin(index + each)))
    const isReady = async () => {
      await delay(200)
      return (await eventsOf(shop.owner, 'FlowInputKept')).length === runs
    }
    await until(isReady, secondsUntilDue * 1000)
    if (Date.now() > due - 1000) throw new Error('this machine is too slow to have them ready in time')
    await delay(due - Date.now())
    // The log is not read meanwhile: that would be work of the measurement's own.
    const over = 'select count(*)::int as count from flow_run_place where owner = $1 and is_over'
    await until(async () => {
      await delay(200)
      return (await ports.pool.query<{ count: number }>(over, [shop.owner])).rows[0]?.count === runs
    }, 120_000)
    const last = (await eventsOf(shop.owner, 'FlowRunEnded')).toSorted().at(-1) ?? ''
    const asked = await eventsOf(shop.owner, 'FlowMessageRequested')
    if (asked.length !== runs) throw new Error(`${asked.length} messages were asked for by ${runs} runs`)
    return Date.parse(last) - due
  }

  const measured: { milliseconds: number; bareRate: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const before = await bareCommands()
    const milliseconds = await runsDueTogether()
    const after = await bareCommands()
    if (round >= 0) measured.push({ milliseconds, bareRate: (before.rate + after.rate) / 2 })
  }

  const decisions = measured.map(({ milliseconds }) => runs / (milliseconds / 1000))
  const ratios = measured.map(({ bareRate }, index) => (decisions[index] ?? 0) / bareRate)
  console.log(`${runs} runs due in the same second over ${lines} lines, ${rounds} rounds; node ${process.version}`)
  console.table({
    'until all are decided and asked for, ms': Math.round(median(measured.map(({ milliseconds }) => milliseconds))),
    'decisions per second': Math.round(median(decisions)),
    'steps per second': Math.round(2 * median(decisions)),
    'bare commands per second, of as many events': Math.round(median(measured.map(({ bareRate }) => bareRate))),
    'decisions, times the bare commands': Number(median(ratios).toFixed(2)),
    'steps, times the bare commands': Number((2 * median(ratios)).toFixed(2)),
  })
} finally {
  await running.stop()
  await ports.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
