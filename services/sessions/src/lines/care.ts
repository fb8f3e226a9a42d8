import { later } from '@prosa/kernel/clock'
import type { Ports } from '@prosa/kernel/ports'
import type { ConnectionState, Network } from '../connection.ts'
import type { CredentialStore } from '../credentials/credential-store.ts'
import type { Gateway } from '../gateway.ts'
import { type ConnectionHandler, type LineHandler, ownerOf } from '../handlers.ts'
import type { Lease, LeaseKeeper } from '../leases/lease-keeper.ts'
import type { PhoneAnswers } from '../media/phone-answers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { TokenBucket } from '../pacing/token-bucket.ts'
import { pairingCodeSecret } from '../pairing/pairing.ts'
import type { PairingRequests } from '../pairing/pairing-requests.ts'
import type { PresenceBridge } from '../presence/presence-bridge.ts'
import type { SessionTimings } from '../timings.ts'
import { lineFacts } from './line-facts.ts'
import { type LineRunner, qrSecret, startLine } from './line-runner.ts'
import type { LinkingTurns } from './linking-turns.ts'
import type { Persistence } from './persistence.ts'

export interface CareDeps {
  ports: Pick<Ports, 'store' | 'codec' | 'box' | 'secrets' | 'clock' | 'log'>
  /** The gateway to each network that this process knows; null stands for the one that a connection without a choice has. */
  gateways: ReadonlyMap<Network | null, Gateway>
  leases: LeaseKeeper
  credentials: CredentialStore
  outbox: Outbox
  pairingRequests: PairingRequests
  presence: PresenceBridge
  connections: ConnectionHandler
  lines: LineHandler
  persistence: Persistence
  turns: LinkingTurns
  /** What each connection may look up of numbers. */
  lookUps: (connectionId: string) => TokenBucket
  phoneAnswers: PhoneAnswers
  timings: SessionTimings
  /** The same for one network: what is simulated bans nobody, and is written to without a pace. */
  timingsOn: (network: Network | null) => SessionTimings
}

/** Looks after one connection for as long as this process has its lease: makes its line be what its stream says. */
export interface Care {
  readonly lease: Lease
  /** Undefined until the stream was read for the first time. */
  owner(): string | undefined
  /** The line, while there should be one. */
  line(): LineRunner | undefined
  /** Reads what the stream says now and acts on it, one look after the other. Rejects when it has to be tried again. */
  look(): Promise<void>
  /** Whether the last look was in vain. */
  isUnsettled(): boolean
  /** Closes the line; the phone keeps it. Resolves when nothing of it is left. */
  end(): Promise<void>
}

const isWanted = ({ status }: ConnectionState) => status === 'linking' || status === 'linked'

export const careFor = (lease: Lease, deps: CareDeps): Care => {
  const { ports, turns, gateways, leases, credentials, outbox, pairingRequests, connections, timingsOn } = deps
  const { store, secrets, clock, log } = ports
  const { connectionId, token } = lease
  const leaving = new Set<Promise<void>>()
  let owner: string | undefined
  let runner: LineRunner | undefined
  let isUnsettled = true
  let hasEnded = false
  let turn: Promise<void> = Promise.resolve()
  let starts = 0
  let waitingEnds: NodeJS.Timeout | undefined

  const start = (state: ConnectionState, tenant: string) => {
    const gateway = gateways.get(state.network)
    if (!gateway) {
      log.warn({ connectionId, network: state.network }, 'this process cannot reach the network of the connection')
      turns.leave(connectionId)
      return
    }
    lease.require()
    const begun = ++starts
    const facts = lineFacts(deps, connectionId, tenant, lease)
    const own = outbox.under(token)
    runner = startLine(connectionId, state, {
      linkingOver() {
        if (begun === starts) turns.leave(connectionId)
      },
      gateway,
      lease,
      facts,
      outbox: own,
      secrets,
      pairingRequests,
      presence: deps.presence.line(connectionId, tenant),
      clock,
      log,
      timings: timingsOn(state.network),
      lookUps: deps.lookUps(connectionId),
    })
  }

  const lookAgain = () => {
    look().catch((error) => log.warn({ connectionId, err: error }, 'will look again'))
  }

  /** Whether a line that is to be linked may ask WhatsApp for codes now; until then the attempt waits, for no longer than any other lasts. */
  const hasTurn = async ({ linkingUntil: until, network, isDelayed }: ConnectionState, tenant: string) => {
    if (until === null) return true
    const facts = lineFacts(deps, connectionId, tenant, lease)
    const { linkingPace, linkingWindow } = timingsOn(network)
    if (turns.take({ connectionId, owner: tenant, pace: linkingPace, onTurn: lookAgain })) {
      if (!isDelayed) return true
      // Its end is another now: the news of it leads here again.
      const data = { waitedUntil: until, until: later(clock.now(), linkingWindow) }
      await facts.connection({ type: 'ResumeLinking', data })
      return false
    }
    const left = Date.parse(until) - Date.parse(clock.now())
    if (left <= 0) await facts.connection({ type: 'ExpireLinking', data: { until } })
    else {
      await facts.connection({ type: 'DelayLinking', data: { until } })
      waitingEnds = setTimeout(lookAgain, left)
    }
    return false
  }

  const stop = async (running: LineRunner, { generation }: ConnectionState) => {
    runner = undefined
    // What is left of it says nothing about the turn of the next.
    starts++
    turns.leave(connectionId)
    const isGivenUp = running.generation !== generation
    const stopped = running.stop({ logOut: isGivenUp })
    // Credentials of a generation that was given up cannot be written any more: nobody has to wait for the goodbye.
    if (!isGivenUp) return stopped
    const left = stopped
      .catch((error) => log.warn({ connectionId, err: error }, 'line not closed'))
      .finally(() => leaving.delete(left))
    leaving.add(left)
  }

  const failWaiting = async (tenant: string) => {
    const facts = lineFacts(deps, connectionId, tenant, lease)
    for (let next = await outbox.first(connectionId); next; next = await outbox.first(connectionId))
      await facts.failed(next.messageId, 'connection_removed')
  }

  const clear = async ({ generation }: ConnectionState) => {
    // Those of today's generation were not given up: another program took the line, or a phone scanned at the last moment.
    await credentials.forget({ connectionId, generation: generation - 1, token })
    lease.require()
    for (const kind of [qrSecret, pairingCodeSecret]) await secrets.delete(kind, connectionId)
    await pairingRequests.forget(connectionId)
  }

  const lookNow = async () => {
    if (hasEnded || lease.signal.aborted) return
    isUnsettled = true
    clearTimeout(waitingEnds)
    owner ??= await ownerOf(store, connectionId)
    if (!owner) return leases.finish(lease)
    const state = await connections.load(connectionId, owner)
    if (runner && !(isWanted(state) && runner.serves(state))) await stop(runner, state)
    if (isWanted(state)) {
      if (!runner && (await hasTurn(state, owner))) start(state, owner)
    } else {
      turns.leave(connectionId)
      await clear(state)
      if (state.status === 'removed') {
        await failWaiting(owner)
        await leases.finish(lease)
      }
    }
    isUnsettled = false
  }

  const look = () => {
    const looked = turn.then(lookNow)
    turn = looked.catch(() => undefined)
    return looked
  }

  return {
    lease,
    owner: () => owner,
    line: () => runner,
    look,
    isUnsettled: () => isUnsettled,
    async end() {
      hasEnded = true
      clearTimeout(waitingEnds)
      await turn
      clearTimeout(waitingEnds)
      turns.leave(connectionId)
      await Promise.all([runner?.stop({ logOut: false }), ...leaving])
    },
  }
}
