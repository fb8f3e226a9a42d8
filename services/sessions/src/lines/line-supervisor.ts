import { setTimeout as delay, setInterval } from 'node:timers/promises'
import { parseStream } from '@prosa/contracts/streams'
import type { Ports } from '@prosa/kernel/ports'
import { listen } from '@prosa/kernel/postgres/listen'
import { loadCheckpoint, saveCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import type { Lease } from '../leases/lease-keeper.ts'
import { outboxChannel } from '../outbox/table.ts'
import { bell } from './bell.ts'
import { type Care, type CareDeps, careFor } from './care.ts'
import type { LineRunner, LineState } from './line-runner.ts'

const name = 'supervise-on-connection-event'
const version = 1
const textsEveryMilliseconds = 3_600_000
const checkpointEveryMilliseconds = 10_000
const retryMilliseconds = 500

/**
 * So many connections are taken at a time, and the more a process has, the longer it waits before it takes more: so
 * processes that start together, or share what another one left, get about as many each.
 */
const handful = 8
const hesitationMilliseconds = (held: number) => Math.min(held * 25, 250)

export interface LineSupervisorDeps extends CareDeps {
  ports: CareDeps['ports'] & Pick<Ports, 'pool' | 'databaseUrl'>
}

export interface LineSupervisor {
  /** Looks after every connection that no other process looks after, until the signal aborts and everything is stored. */
  run(signal: AbortSignal): Promise<void>
  /** Why connections are not looked after, while they should. */
  trouble(): string | undefined
  /** The state of every line that runs in this process. */
  states(): LineState[]
  /** The lines of a tenant that run in this process. */
  linesOf(owner: string): LineRunner[]
}

/**
 * Follows the connections' streams, which routes of any process write, and makes the lines be what they say: each in the one
 * process that has the connection's lease. Every connection that was not removed has one, so that what a process leaves
 * undone is found by the next one that takes it.
 */
export const lineSupervisor = (deps: LineSupervisorDeps): LineSupervisor => {
  const { ports, leases, outbox, persistence, timings } = deps
  const { store, pool, databaseUrl, log } = ports
  const here = new Map<string, Care>()
  const ending = new Set<Promise<void>>()
  const free = bell()
  const troubles = new Map<string, string>()

  const attend = (care: Care) => {
    care.look().catch((error) => log.warn({ connectionId: care.lease.connectionId, err: error }, 'will look again'))
  }

  const letGo = (care: Care) => {
    const { connectionId } = care.lease
    if (here.get(connectionId) === care) here.delete(connectionId)
    const ended = care
      .end()
      .catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const adopt = (lease: Lease) => {
    const care = careFor(lease, deps)
    here.set(lease.connectionId, care)
    lease.signal.addEventListener('abort', () => letGo(care), { once: true })
    attend(care)
  }

  /** Somebody has to look after these, and perhaps nobody does. */
  const announce = async (connectionIds: readonly string[]) => {
    if (connectionIds.length === 0) return
    await leases.announce(connectionIds)
    free.ring()
  }

  const takeFree = async (signal: AbortSignal, wentWell: () => void) => {
    while (!signal.aborted) {
      const taken = await leases.takeFree(handful)
      for (const lease of taken) adopt(lease)
      wentWell()
      if (taken.length < handful) await free.heard(timings.poll, signal)
      await delay(hesitationMilliseconds(here.size), undefined, { signal })
    }
  }

  const followConnections = async (signal: AbortSignal, wentWell: () => void) => {
    const saved = await loadCheckpoint(pool, name, version)
    let savedAt = Date.now()
    for await (const { events, upTo } of store.subscribe(saved, { categories: ['connection'] }, signal)) {
      const touched = [...new Set(events.map(({ stream }) => parseStream(stream).id))]
      await announce(touched.filter((connectionId) => !here.has(connectionId)))
      for (const care of touched.flatMap((connectionId) => here.get(connectionId) ?? [])) attend(care)
      wentWell()
      if (events.length === 0 && Date.now() - savedAt < checkpointEveryMilliseconds) continue
      await saveCheckpoint(pool, name, version, upTo)
      savedAt = Date.now()
    }
  }

  /** What notifications and events might have missed. */
  const lookAround = async (signal: AbortSignal, wentWell: () => void) => {
    let forgottenAt = 0
    for await (const _ of setInterval(timings.poll, undefined, { signal })) {
      for (const care of here.values()) {
        if (care.isUnsettled()) attend(care)
        care.line()?.wake()
      }
      // Messages to a connection that was removed meanwhile: whoever takes it ends them.
      const waiting = (await outbox.connectionsWithWaiting()).map(({ connectionId }) => connectionId)
      await announce(waiting.filter((connectionId) => !here.has(connectionId)))
      if (Date.now() - forgottenAt >= textsEveryMilliseconds) {
        await outbox.forgetOldTexts()
        forgottenAt = Date.now()
      }
      wentWell()
    }
  }

  /** `undefined`: anything may have happened; empty: a connection is free; else there is something to do for that connection. */
  const hear = (connectionId: string | undefined) => {
    if (!connectionId) free.ring()
    if (connectionId === undefined) for (const care of here.values()) care.line()?.wake()
    else here.get(connectionId)?.line()?.wake()
  }

  /** Again and again until the signal aborts: no line ends because a database was away for a moment. */
  const persistently = async (
    what: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, wentWell: () => void) => Promise<void>,
  ) => {
    const wentWell = () => void troubles.delete(what)
    while (!signal.aborted) {
      try {
        await work(signal, wentWell)
      } catch (error) {
        if (signal.aborted) return
        troubles.set(what, error instanceof Error ? error.name : 'unknown')
        log.warn({ err: error, what }, 'lines are looked after again in a moment')
        await delay(retryMilliseconds, undefined, { signal }).catch(() => signal.aborted)
      }
    }
  }

  return {
    async run(signal) {
      const keeping = new AbortController()
      const kept = leases.run(keeping.signal)
      listen(databaseUrl, outboxChannel, hear, signal)
      await Promise.all([
        persistently('taking', signal, takeFree),
        persistently('following', signal, followConnections),
        persistently('looking around', signal, lookAround),
      ])
      const cares = [...here.values()]
      await Promise.all([...cares.map((care) => care.end()), ...ending])
      // What the lines heard last is stored under their leases.
      await persistence.stop()
      const released = leases.release(cares.map(({ lease }) => lease))
      await released.catch((error) => log.warn({ err: error }, 'leases not given back, they end by themselves'))
      keeping.abort()
      await kept
    },
    trouble: () => [...troubles.values()][0],
    states: () => [...here.values()].flatMap((care) => care.line()?.state() ?? []),
    linesOf: (owner) => [...here.values()].flatMap((care) => (care.owner() === owner && care.line()) || []),
  }
}
