import { setTimeout as delay, setInterval } from 'node:timers/promises'
import { retry } from '@prosa/kernel/async/retry'
import { wakeSignal } from '@prosa/kernel/async/wake-signal'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import type { Ports } from '@prosa/kernel/ports'
import { listen } from '@prosa/kernel/postgres/listen'
import { outboxChannel } from '../outbox/table.ts'
import { followConnections } from './follow-connections.ts'
import type { Lease } from './leases/lease-keeper.ts'
import type { LineState } from './line-machine.ts'
import type { LineRunner } from './line-runner.ts'
import { type Reconciler, type ReconcilerDeps, reconciler } from './reconciler.ts'

const textsEveryMs = 3_600_000
const retryMs = 500

/** Small batches, with a wait that grows with the leases held: processes share evenly. */
const handful = 8
const hesitationMs = (held: number) => Math.min(held * 25, 250)

export interface LineSupervisorDeps extends ReconcilerDeps {
  ports: ReconcilerDeps['ports'] & Pick<Ports, 'pool' | 'databaseUrl'>
}

export interface LineSupervisor {
  /** Resolves after the signal, once everything is stored. */
  run(signal: AbortSignal): Promise<void>
  /** Why connections are not served, for the health check. */
  trouble(): string | undefined
  states(): LineState[]
  linesOf(owner: string): LineRunner[]
}

/**
 * Reconciles lines with their streams, which routes of any process write. Every connection that was not removed has a lease, so that its
 * next holder completes unfinished work.
 */
export const lineSupervisor = (deps: LineSupervisorDeps): LineSupervisor => {
  const { ports, leases, outbox, persistence, timings } = deps
  const { databaseUrl, log } = ports
  const here = new Map<string, Reconciler>()
  const ending = new Set<Promise<void>>()
  const free = wakeSignal()
  const troubles = new Map<string, string>()

  const attend = (each: Reconciler) => {
    each
      .reconcile()
      .catch((error) => log.warn({ connectionId: each.lease.connectionId, err: error }, 'will reconcile again'))
  }

  const letGo = (each: Reconciler) => {
    const { connectionId } = each.lease
    if (here.get(connectionId) === each) here.delete(connectionId)
    const ended = each
      .end()
      .catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const adopt = (lease: Lease) => {
    const adopted = reconciler(lease, deps)
    here.set(lease.connectionId, adopted)
    lease.signal.addEventListener('abort', () => letGo(adopted), { once: true })
    attend(adopted)
  }

  const announce = async (connectionIds: readonly string[]) => {
    if (connectionIds.length === 0) return
    await leases.announce(connectionIds)
    free.wake()
  }

  const takeFree = async (signal: AbortSignal, wentWell: () => void) => {
    while (!signal.aborted) {
      const taken = await leases.takeFree(handful)
      for (const lease of taken) adopt(lease)
      wentWell()
      if (taken.length < handful) await free.wait(timings.poll, signal)
      await delay(hesitationMs(here.size), undefined, { signal })
    }
  }

  const following = newStatus()
  const onChanged = async (connectionIds: readonly string[]) => {
    await announce(connectionIds.filter((connectionId) => !here.has(connectionId)))
    for (const each of connectionIds.flatMap((connectionId) => here.get(connectionId) ?? [])) attend(each)
  }

  const lookAround = async (signal: AbortSignal, wentWell: () => void) => {
    let forgottenAt = 0
    for await (const _ of setInterval(timings.poll, undefined, { signal })) {
      for (const each of here.values()) {
        if (each.isUnsettled()) attend(each)
        each.line()?.wake()
      }
      // Messages of removed connections: the holder of the lease ends them.
      const waiting = (await outbox.connectionsWithWaiting()).map(({ connectionId }) => connectionId)
      await announce(waiting.filter((connectionId) => !here.has(connectionId)))
      if (Date.now() - forgottenAt >= textsEveryMs) {
        await outbox.forgetOldTexts()
        forgottenAt = Date.now()
      }
      wentWell()
    }
  }

  /** `undefined`: anything may have changed; empty: a lease is free. */
  const onOutboxNotified = (connectionId: string | undefined) => {
    if (!connectionId) free.wake()
    if (connectionId === undefined) for (const each of here.values()) each.line()?.wake()
    else here.get(connectionId)?.line()?.wake()
  }

  return {
    async run(signal) {
      const keeping = new AbortController()
      const kept = leases.run(keeping.signal)
      listen(databaseUrl, outboxChannel, onOutboxNotified, signal)
      await Promise.all([
        persistently('taking', takeFree, { signal, troubles, log }),
        followConnections(ports, onChanged, following, signal),
        persistently('looking around', lookAround, { signal, troubles, log }),
      ])
      const reconcilers = [...here.values()]
      await Promise.all([...reconcilers.map((each) => each.end()), ...ending])
      // Before the leases are released: last messages are stored under them.
      await persistence.stop()
      const released = leases.release(reconcilers.map(({ lease }) => lease))
      await released.catch((error) => log.warn({ err: error }, 'leases not given back, they end by themselves'))
      keeping.abort()
      await kept
    },
    trouble: () => [...troubles.values()][0] ?? following.trouble?.reason,
    states: () => [...here.values()].flatMap((each) => each.line()?.state() ?? []),
    linesOf: (owner) => [...here.values()].flatMap((each) => (each.owner() === owner && each.line()) || []),
  }
}

const persistently = async (
  what: string,
  work: (signal: AbortSignal, wentWell: () => void) => Promise<void>,
  { signal, troubles, log }: { signal: AbortSignal; troubles: Map<string, string>; log: Ports['log'] },
): Promise<void> => {
  await retry(() => work(signal, () => void troubles.delete(what)), {
    signal,
    pauseAfter: () => retryMs,
    onFailure: (error) => {
      troubles.set(what, error instanceof Error ? error.name : 'unknown')
      log.warn({ err: error, what }, 'lines are looked after again in a moment')
    },
  })
}
