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

/** Lines that are handed over at a time when the process ends. */
const handOversAtOnce = 8

/** Small batches, with a pause that grows with the number of leases: processes that start together share evenly. */
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
  linesOf(tenant: string): LineRunner[]
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
    /** Resolves once the line has ended; the lease is still held. */
    async remove(each: Reconciler): Promise<void> {
      await each.end()
      byConnection.delete(each.lease.connectionId)
    },
    ended: () => Promise.all(ending),
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
        retried('sharing lines', sharing(deps, reconcilers), { signal, failures, log }),
        retried('polling', polling(deps, reconcilers, announce), { signal, failures, log }),
      ])
      await leases.leave().catch((error) => log.warn({ err: error }, 'others count this process until it expires'))
      const unsettled = await handAllOver(deps, reconcilers)
      await reconcilers.ended()
      await persistence.stop()
      await leases.release(unsettled).catch((error) => log.warn({ err: error }, 'leases not released, they expire'))
      renewing.abort()
      await renewal
    },
    trouble: () => [...failures.values()][0] ?? following.trouble?.reason,
    states: () => reconcilers.all().flatMap((each) => each.line()?.state() ?? []),
    linesOf: (tenant) => reconcilers.all().flatMap((each) => (each.tenant() === tenant && each.line()) || []),
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

/** Before its lease is released: last messages are stored under it. False when they were not stored in time. */
const handOver = async (
  { leases, persistence }: Pick<LineSupervisorDeps, 'leases' | 'persistence'>,
  reconcilers: ActiveReconcilers,
  each: Reconciler,
): Promise<boolean> => {
  await reconcilers.remove(each)
  if (!(await persistence.isDone(each.lease.connectionId))) return false
  await leases.release([each.lease])
  return true
}

/** One line after the other, so that none waits for all; returns the leases that could not be released. */
const handAllOver = async (deps: LineSupervisorDeps, reconcilers: ActiveReconcilers): Promise<Lease[]> => {
  const left = reconcilers.all()
  const unreleased: Lease[] = []
  const next = async () => {
    for (let each = left.shift(); each; each = left.shift()) {
      const { lease } = each
      const isReleased = await handOver(deps, reconcilers, each).catch((error) => {
        deps.ports.log.warn({ connectionId: lease.connectionId, err: error }, 'line not handed over yet')
        return false
      })
      if (!isReleased) unreleased.push(lease)
    }
  }
  await Promise.all(Array.from({ length: handOversAtOnce }, next))
  return unreleased
}

/** A line that is being linked stays: its code would change under the user's phone. */
const mayMove = (each: Reconciler) => !each.isUnsettled() && each.line()?.state() !== 'linking'

/** Hands lines to processes that started later, one by one. */
const sharing =
  (deps: LineSupervisorDeps, reconcilers: ActiveReconcilers): Work =>
  async (signal, succeeded) => {
    for await (const _ of setInterval(deps.timings.handOver, undefined, { signal })) {
      const moving = (await deps.leases.excess()) > 0 && reconcilers.all().find(mayMove)
      if (moving)
        await handOver(deps, reconcilers, moving).then(
          (isReleased) => isReleased || reconcilers.add(moving.lease),
          (error: unknown) => {
            // Else it is lost here, and expires.
            if (!moving.lease.signal.aborted) reconcilers.add(moving.lease)
            throw error
          },
        )
      succeeded()
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
