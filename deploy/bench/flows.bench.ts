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
import { host } from '@prosa/kernel/host'
import { silentLog } from '@prosa/kernel/observability/log'
import { noPlanRules } from '@prosa/product/entitlements/plan-rules'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { delayedRuns } from './delayed-runs.ts'
import { measure, median } from './measure.ts'

/**
 * Runs due at the same moment over many lines, until all decisions are in the log, against bare commands with as many events and callers.
 */
const runs = 1000
const lines = 50
const secondsUntilDue = 40
const rounds = Number(process.env.PROSA_ROUNDS ?? 3)
const bareMs = 2000
const bareCallers = 64
/** Delay step, message, message step and end. */
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
    ...({ service: 'identity', category: 'user', foreign: 'wrong_credentials' } as const),
  })
  const bareCommands = () =>
    measure(bareCallers, bareMs, () => {
      const id = randomUUID()
      return async () => {
        const commandId = randomUUID()
        const about = { tenant: null, causationId: commandId, correlationId: commandId }
        const context: CommandContext = { commandId, actor: { kind: 'user', id }, ...about }
        const outcome = await bare(id, { type: 'LogIn', data: {} }, context)
        if (!outcome.ok) throw new Error('a command of the measurement was refused')
      }
    })

  const runsDueTogether = async () => {
    const delayed = await delayedRuns(ports, { runs, lines, secondsUntilDue })
    await delay(delayed.due - Date.now())
    await delayed.areOver()
    const last = (await delayed.recorded('FlowRunEnded')).toSorted().at(-1) ?? ''
    const asked = await delayed.recorded('FlowMessageRequested')
    if (asked.length !== runs) throw new Error(`${asked.length} messages were asked for by ${runs} runs`)
    return Date.parse(last) - delayed.due
  }

  const measured: { ms: number; bareRate: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const before = await bareCommands()
    const ms = await runsDueTogether()
    const after = await bareCommands()
    if (round >= 0) measured.push({ ms, bareRate: (before.rate + after.rate) / 2 })
  }

  const decisions = measured.map(({ ms }) => runs / (ms / 1000))
  const ratios = measured.map(({ bareRate }, index) => (decisions[index] ?? 0) / bareRate)
  console.log(`${runs} runs due in the same second over ${lines} lines, ${rounds} rounds; node ${process.version}`)
  console.table({
    'until all are decided and asked for, ms': Math.round(median(measured.map(({ ms }) => ms))),
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
