import { setTimeout as delay, setInterval } from 'node:timers/promises'
import { retry } from '@prosa/kernel/async/retry'
import { type WakeSignal, wakeSignal } from '@prosa/kernel/async/wake-signal'
import { newStatus } from '@prosa/kernel/consumers/engine/consumer-status'
import type { Ports } from '@prosa/kernel/ports'
import { listen } from '@prosa/kernel/postgres/listen'
import type { Lease } from '../leases/lease-keeper.ts'
import { lineChannel } from '../line-channel.ts'
import { followConnections } from './follow-connections.ts'
import type { LineState } from './line-machine.ts'
import type { LineRunner } from './line-runner.ts'
import { type Reconciler, type ReconcilerDeps, reconciler } from './reconciler.ts'

const textsEveryMs = 3_600_000
const retryMs = 500

/** Small batches, with a pause that grows with the number of leases: processes share evenly. */
const batchSize = 8
const pauseMs = (leases: number) => Math.min(leases * 25, 250)

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

type ActiveReconcilers = ReturnType<typeof activeReconcilers>

/** One for each lease of this process. */
const activeReconcilers = (deps: ReconcilerDeps) => {
  const { log } = deps.ports
  const byConnection = new Map<string, Reconciler>()
  const ending = new Set<Promise<void>>()

  const reconcile = (each: Reconciler) => {
    each
      .reconcile()
      .catch((error) => log.warn({ connectionId: each.lease.connectionId, err: error }, 'will reconcile again'))
  }

  const drop = (each: Reconciler) => {
    const { connectionId } = each.lease
    if (byConnection.get(connectionId) === each) byConnection.delete(connectionId)
    const ended = each
      .end()
      .catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  return {
    size: () => byConnection.size,
    all: () => [...byConnection.values()],
    find: (connectionId: string) => byConnection.get(connectionId),
    reconcile,
    add(lease: Lease) {
      const added = reconciler(lease, deps)
      byConnection.set(lease.connectionId, added)
      lease.signal.addEventListener('abort', () => drop(added), { once: true })
      reconcile(added)
    },
    /** Returns their leases. */
    async end(): Promise<Lease[]> {
      const reconcilers = [...byConnection.values()]
      await Promise.all([...reconcilers.map((each) => each.end()), ...ending])
      return reconcilers.map(({ lease }) => lease)
    },
  }
}

/**
 * Reconciles lines with their streams, which routes of any process write. Every connection that was not removed has a lease, so that its
 * next holder completes unfinished work.
 */
export const lineSupervisor = (deps: LineSupervisorDeps): LineSupervisor => {
  const { ports, leases, persistence } = deps
  const { databaseUrl, log } = ports
  const reconcilers = activeReconcilers(deps)
  const leaseFree = wakeSignal()
  const failures = new Map<string, string>()
  const following = newStatus()

  const announce = async (connectionIds: readonly string[]) => {
    const others = connectionIds.filter((connectionId) => !reconcilers.find(connectionId))
    if (others.length === 0) return
    await leases.announce(others)
    leaseFree.wake()
  }

  const onChanged = async (connectionIds: readonly string[]) => {
    await announce(connectionIds)
    for (const each of connectionIds.flatMap((id) => reconcilers.find(id) ?? [])) reconcilers.reconcile(each)
  }

  /** `undefined`: anything may have changed; empty: a lease is free. */
  const onNotified = (connectionId: string | undefined) => {
    if (!connectionId) leaseFree.wake()
    if (connectionId === undefined) for (const each of reconcilers.all()) each.line()?.wake()
    else reconcilers.find(connectionId)?.line()?.wake()
  }

  return {
    async run(signal) {
      const renewing = new AbortController()
      const renewal = leases.run(renewing.signal)
      listen(databaseUrl, lineChannel, onNotified, signal)
      await Promise.all([
        retried('taking leases', takingLeases(deps, reconcilers, leaseFree), { signal, failures, log }),
        followConnections(ports, onChanged, following, signal),
        retried('polling', polling(deps, reconcilers, announce), { signal, failures, log }),
      ])
      const ended = await reconcilers.end()
      // Before the leases are released: last messages are stored under them.
      await persistence.stop()
      await leases.release(ended).catch((error) => log.warn({ err: error }, 'leases not released, they expire'))
      renewing.abort()
      await renewal
    },
    trouble: () => [...failures.values()][0] ?? following.trouble?.reason,
    states: () => reconcilers.all().flatMap((each) => each.line()?.state() ?? []),
    linesOf: (owner) => reconcilers.all().flatMap((each) => (each.owner() === owner && each.line()) || []),
  }
}

type Work = (signal: AbortSignal, succeeded: () => void) => Promise<void>

const takingLeases =
  ({ leases, timings }: LineSupervisorDeps, reconcilers: ActiveReconcilers, leaseFree: WakeSignal): Work =>
  async (signal, succeeded) => {
    while (!signal.aborted) {
      const taken = await leases.takeFree(batchSize)
      for (const lease of taken) reconcilers.add(lease)
      succeeded()
      if (taken.length < batchSize) await leaseFree.wait(timings.poll, signal)
      await delay(pauseMs(reconcilers.size()), undefined, { signal })
    }
  }

const polling =
  (
    { outbox, timings }: LineSupervisorDeps,
    reconcilers: ActiveReconcilers,
    announce: (connectionIds: readonly string[]) => Promise<void>,
  ): Work =>
  async (signal, succeeded) => {
    let deletedTextsAt = 0
    for await (const _ of setInterval(timings.poll, undefined, { signal })) {
      for (const each of reconcilers.all()) {
        if (each.isUnsettled()) reconcilers.reconcile(each)
        each.line()?.wake()
      }
      // Messages of removed connections: the holder of the lease ends them.
      await announce((await outbox.connectionsWithWaiting()).map(({ connectionId }) => connectionId))
      if (Date.now() - deletedTextsAt >= textsEveryMs) {
        await outbox.forgetOldTexts()
        deletedTextsAt = Date.now()
      }
      succeeded()
    }
  }

const retried = async (
  what: string,
  work: Work,
  { signal, failures, log }: { signal: AbortSignal; failures: Map<string, string>; log: Ports['log'] },
): Promise<void> => {
  await retry(() => work(signal, () => void failures.delete(what)), {
    signal,
    pauseAfter: () => retryMs,
    onFailure: (error) => {
      failures.set(what, error instanceof Error ? error.name : 'unknown')
      log.warn({ err: error, what }, 'supervision of lines interrupted, will retry')
    },
  })
}
