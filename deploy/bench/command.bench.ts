import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { identityEvents } from '@prosa/contracts/events/identity'
import { systemClock } from '@prosa/kernel/clock'
import { type CommandContext, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Decider } from '@prosa/kernel/domain/decider'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { type Measured, measure, median } from './measure.ts'
import { openMeasuredLog } from './measured-log.ts'

/**
 * Whole commands against bare appends of the same events. `read each time` caches no state; `state cached` is the handler of the
 * services. With EVENTSTORE_URL on an EventStoreDB.
 */
const rounds = 5
const roundMs = 1500
const callerCounts = [1, 16, 64]

type Event = EventOf<Pick<typeof identityEvents, 'UserLoggedIn'>>
const logIn: Decider<{ type: 'LogIn'; data: object }, Event, number, 'wrong_credentials'> = {
  initial: 0,
  decide: { LogIn: () => [{ type: 'UserLoggedIn', data: {} }] },
  evolve: { UserLoggedIn: (count) => count + 1 },
}

const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const server = await startEmbeddedPostgres({ dataDir })
const store = await openMeasuredLog(server.url)
try {
  const codec = eventCodec()
  const deps = {
    store,
    codec,
    clock: systemClock,
    service: 'identity',
    category: 'user',
    decider: logIn,
    foreign: 'wrong_credentials',
  } as const
  const context = (): CommandContext => {
    const id = randomUUID()
    return { commandId: id, actor: { kind: 'user', id: 'user-17' }, tenant: null, causationId: id, correlationId: id }
  }

  const ofStreams = (call: (id: string, index: number) => Promise<void>) => () => {
    let id = randomUUID()
    let index = 0
    return async () => {
      if (index === 20) [id, index] = [randomUUID(), 0]
      await call(id, index++)
    }
  }
  const appends = ofStreams(async (id, index) => {
    const { commandId, ...about } = context()
    const metadata = { ...about, recordedAt: systemClock.now() }
    const stream = `user-${id}`
    const events = await codec.encode([{ id: commandId, stream, event: { type: 'UserLoggedIn', data: {} }, metadata }])
    const result = await store.append(stream, index === 0 ? 'no_stream' : BigInt(index - 1), events)
    if (!result.ok) throw new Error('an append of the measurement was a conflict')
  })
  const commands = (handlerOf: () => typeof caching) =>
    ofStreams(async (id) => {
      const outcome = await handlerOf()(id, { type: 'LogIn', data: {} }, context())
      if (!outcome.ok) throw new Error(`a command of the measurement was refused: ${outcome.rejected}`)
    })
  const caching = commandHandler(deps)
  const kinds = {
    append: appends,
    'state cached': commands(() => caching),
    'read each time': commands(() => commandHandler(deps)),
  }

  const runs: ({ callers: number; kind: keyof typeof kinds; round: number } & Measured)[] = []
  for (let round = -1; round < rounds; round++)
    for (const callers of callerCounts)
      for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
        runs.push({ callers, kind, round, ...(await measure(callers, roundMs, kinds[kind])) })

  console.log(
    `Commands per second beside bare appends, ${rounds} rounds of ${roundMs} ms each; node ${process.version}`,
  )
  const counted = runs.filter(({ round }) => round >= 0)
  const of = (callers: number, kind: string) => counted.filter((run) => run.callers === callers && run.kind === kind)
  console.table(
    callerCounts.flatMap((callers) =>
      Object.keys(kinds).map((kind) => ({
        callers,
        kind,
        'per second': Math.round(median(of(callers, kind).map(({ rate }) => rate))),
        'times the append': Number(
          median(
            of(callers, kind).map(({ rate }, index) => rate / (of(callers, 'append')[index]?.rate ?? Number.NaN)),
          ).toFixed(2),
        ),
        'p50 ms': Number(median(of(callers, kind).map(({ p50 }) => p50)).toFixed(2)),
        'p99 ms': Number(median(of(callers, kind).map(({ p99 }) => p99)).toFixed(2)),
      })),
    ),
  )
} finally {
  await store.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
