import { keyedQueue } from '@prosa/kernel/async/keyed-queue'
import type { Ports } from '@prosa/kernel/ports'
import { linkingCodes } from '../connection/linking-codes.ts'
import type { PairingRequests } from '../connection/pairing-requests.ts'
import type { ConnectionState, Network } from '../domain/connection.ts'
import type { CredentialStore } from '../gateway/credentials/credential-store.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type ConnectionHandler, type LineHandler, tenantOf } from '../handlers.ts'
import type { Lease, LeaseKeeper } from '../leases/lease-keeper.ts'
import type { PhoneAnswers } from '../media/phone-answers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SessionTimings } from '../timings.ts'
import { lineFacts } from './line-facts.ts'
import { type LineRunner, startLine } from './line-runner.ts'
import type { LinkingSlots } from './linking-slots.ts'
import type { TakeLookUp } from './look-ups/paced-look-ups.ts'
import type { Persistence } from './persistence.ts'
import type { PresenceBridge } from './presence/presence-bridge.ts'
import { afterSlot, type ReconcilerEffect, reconcile } from './reconcile.ts'

export interface ReconcilerDeps {
  ports: Pick<Ports, 'store' | 'codec' | 'box' | 'secrets' | 'clock' | 'log'>
  /** null is the default network. */
  gateways: ReadonlyMap<Network | null, Gateway>
  leases: LeaseKeeper
  credentials: CredentialStore
  outbox: Outbox
  pairingRequests: PairingRequests
  presence: PresenceBridge
  connections: ConnectionHandler
  lines: LineHandler
  persistence: Persistence
  slots: LinkingSlots
  lookUps: (connectionId: string) => TakeLookUp
  phoneAnswers: PhoneAnswers
  timings: SessionTimings
  /** A simulated network bans nobody, so it has no rate limit. */
  timingsOn: (network: Network | null) => SessionTimings
}

/** Reconciles a connection's line with its stream while this process holds the lease. */
export interface Reconciler {
  readonly lease: Lease
  tenant(): string | undefined
  line(): LineRunner | undefined
  /** Serial. Rejects when it must be retried. */
  reconcile(): Promise<void>
  isUnsettled(): boolean
  end(): Promise<void>
}

const currentLine = (lease: Lease, deps: ReconcilerDeps) => {
  const { ports, slots, gateways, outbox, pairingRequests, timingsOn } = deps
  const { secrets, clock, log } = ports
  const { connectionId, token } = lease
  /** Nothing waits for their logout. */
  const leaving = new Set<Promise<void>>()
  let runner: LineRunner | undefined
  let starts = 0

  return {
    runner: () => runner,
    start(state: ConnectionState, tenant: string) {
      const gateway = gateways.get(state.network)
      if (!gateway) {
        log.warn({ connectionId, network: state.network }, 'this process cannot reach the network of the connection')
        slots.release(connectionId)
        return
      }
      lease.require()
      const begun = ++starts
      runner = startLine(connectionId, state, {
        linkingOver() {
          if (begun === starts) slots.release(connectionId)
        },
        gateway,
        lease,
        facts: lineFacts(deps, connectionId, tenant, lease),
        outbox: outbox.under(token),
        secrets,
        pairingRequests,
        presence: deps.presence.line(connectionId, tenant),
        clock,
        log,
        timings: timingsOn(state.network),
        lookUps: deps.lookUps(connectionId),
      })
    },
    async stop(logOut: boolean) {
      const running = runner
      runner = undefined
      // The old line's remains do not affect the next one's linking current.
      starts++
      slots.release(connectionId)
      if (!running) return
      const stopped = running.stop({ logOut })
      if (!logOut) return stopped
      const left = stopped
        .catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
        .finally(() => leaving.delete(left))
      leaving.add(left)
    },
    async end() {
      await Promise.all([runner?.stop({ logOut: false }), ...leaving])
    },
  }
}

type Perform = (effect: ReconcilerEffect, desired: ConnectionState, tenant: string) => Promise<void> | void

const performer = (
  lease: Lease,
  deps: ReconcilerDeps,
  current: ReturnType<typeof currentLine>,
  reconcileLater: (ms: number) => void,
): Perform => {
  const { ports, slots, leases, credentials, outbox, timingsOn } = deps
  const { connectionId, token } = lease
  const codes = linkingCodes(connectionId, { ...deps, ...ports })

  const perform: Perform = async (effect, desired, tenant) => {
    const facts = () => lineFacts(deps, connectionId, tenant, lease)
    switch (effect.type) {
      case 'stopLine':
        return current.stop(effect.logOut)
      case 'startLine':
        return current.start(desired, tenant)
      case 'takeSlot': {
        const { linkingPace, linkingWindow } = timingsOn(desired.network)
        const onSlot = () => reconcileLater(0)
        const hasSlot = await slots.take({ connectionId, tenant, pace: linkingPace, onSlot })
        const slot = { hasSlot, linkingUntil: effect.linkingUntil, isDelayed: desired.isDelayed }
        for (const next of afterSlot(slot, { now: ports.clock.now(), linkingWindow }))
          await perform(next, desired, tenant)
        return
      }
      case 'releaseSlot':
        return slots.release(connectionId)
      case 'record':
        return facts().connection(effect.command)
      case 'reconcileLater':
        return reconcileLater(effect.ms)
      case 'deleteCredentials':
        await credentials.forget({ connectionId, generation: effect.generation, token })
        return lease.require()
      case 'deleteCodes':
        return codes.delete()
      case 'failWaiting':
        for (let next = await outbox.first(connectionId); next; next = await outbox.first(connectionId))
          await facts().failed(next.messageId, 'connection_removed')
        return
      case 'finishLease':
        return leases.finish(lease)
    }
  }
  return perform
}

export const reconciler = (lease: Lease, deps: ReconcilerDeps): Reconciler => {
  const { ports, slots, leases, connections } = deps
  const { connectionId } = lease
  const current = currentLine(lease, deps)
  let tenant: string | undefined
  let isUnsettled = true
  let hasEnded = false
  const queue = keyedQueue()
  let timer: NodeJS.Timeout | undefined

  const reconcileLater = (ms: number) => {
    const again = () => {
      queue
        .run(connectionId, reconcileNow)
        .catch((error) => ports.log.warn({ connectionId, err: error }, 'will reconcile again'))
    }
    if (ms === 0) again()
    else timer = setTimeout(again, ms)
  }
  const perform = performer(lease, deps, current, reconcileLater)

  const reconcileNow = async () => {
    if (hasEnded || lease.signal.aborted) return
    isUnsettled = true
    clearTimeout(timer)
    tenant ??= await tenantOf(ports.store, connectionId)
    if (!tenant) return leases.finish(lease)
    const desired = await connections.load(connectionId, tenant)
    const running = current.runner()
    const line = running && { generation: running.generation, serves: running.serves(desired) }
    for (const effect of reconcile(desired, line)) await perform(effect, desired, tenant)
    isUnsettled = false
  }

  return {
    lease,
    tenant: () => tenant,
    line: current.runner,
    reconcile: () => queue.run(connectionId, reconcileNow),
    isUnsettled: () => isUnsettled,
    async end() {
      hasEnded = true
      clearTimeout(timer)
      await queue.idle()
      clearTimeout(timer)
      slots.release(connectionId)
      await current.end()
    },
  }
}
