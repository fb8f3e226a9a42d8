import { setInterval } from 'node:timers/promises'
import { parseStream } from '@prosa/contracts/streams'
import type { Ports } from '@prosa/kernel/ports'
import { exclusively } from '@prosa/kernel/postgres/exclusively'
import { listen } from '@prosa/kernel/postgres/pool'
import { loadCheckpoint, saveCheckpoint } from '@prosa/kernel/read-models/checkpoints'
import type { ConnectionState } from '../connection.ts'
import type { CredentialStore } from '../credentials/credential-store.ts'
import type { Gateway } from '../gateway.ts'
import { type ConnectionHandler, type LineHandler, ownerOf } from '../handlers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { outboxChannel } from '../outbox/table.ts'
import type { SessionTimings } from '../timings.ts'
import { lineFacts } from './line-facts.ts'
import { type LineRunner, type LineState, qrSecret, startLine } from './line-runner.ts'
import type { Persistence } from './persistence.ts'

const name = 'supervise-on-connection-event'
const version = 1
const textsEveryMilliseconds = 3_600_000
const checkpointEveryMilliseconds = 10_000

export interface LineSupervisorDeps {
  ports: Pick<Ports, 'store' | 'pool' | 'databaseUrl' | 'box' | 'secrets' | 'clock' | 'log'>
  gateway: Gateway
  credentials: CredentialStore
  outbox: Outbox
  connections: ConnectionHandler
  lines: LineHandler
  persistence: Persistence
  timings: SessionTimings
}

export interface LineSupervisor {
  /** Runs every line, in one process at a time, until the signal aborts. A lost database ends all lines and heals by itself. */
  run(signal: AbortSignal): Promise<void>
  /** Why the lines do not run, while they should. */
  trouble(): string | undefined
  /** The state of every line that runs in this process. */
  states(): LineState[]
}

const isWanted = ({ status }: ConnectionState) => status === 'linking' || status === 'linked'

/**
 * Follows the connections' streams, which routes of any process write, and makes the lines be what they say. Where it
 * stopped is kept; lines that were up are found by their credentials.
 */
export const lineSupervisor = (deps: LineSupervisorDeps): LineSupervisor => {
  const { ports, gateway, credentials, outbox, connections, timings } = deps
  const { store, pool, databaseUrl, secrets, clock, log } = ports
  const owners = new Map<string, string>()
  let running: ReadonlyMap<string, LineRunner> = new Map()
  let trouble: string | undefined

  const ownerOfConnection = async (connectionId: string) => {
    const owner = owners.get(connectionId) ?? (await ownerOf(store, connectionId))
    if (owner) owners.set(connectionId, owner)
    return owner
  }

  const troubled = (error: unknown) => {
    trouble = error instanceof Error ? error.name : 'unknown'
    log.warn({ err: error }, 'lines interrupted')
  }

  const failWaiting = async (connectionId: string, owner: string) => {
    const facts = lineFacts(deps, connectionId, owner)
    for (let next = await outbox.first(connectionId); next; next = await outbox.first(connectionId))
      await facts.failed(next.messageId, 'connection_removed')
  }

  const supervise = async (outerSignal: AbortSignal) => {
    const ownEnd = new AbortController()
    const signal = AbortSignal.any([outerSignal, ownEnd.signal])
    const runners = new Map<string, LineRunner>()
    running = runners
    const leaving = new Set<Promise<void>>()

    const start = async (connectionId: string, owner: string, state: ConnectionState) => {
      await credentials.reserve(connectionId, state.generation)
      const facts = lineFacts(deps, connectionId, owner)
      runners.set(
        connectionId,
        startLine(connectionId, state, { gateway, facts, outbox, secrets, clock, log, timings }),
      )
    }

    const stop = async (connectionId: string, runner: LineRunner, state: ConnectionState) => {
      runners.delete(connectionId)
      const isGivenUp = runner.generation !== state.generation
      const stopped = runner.stop({ logOut: isGivenUp })
      // Credentials of a generation that was given up cannot be written any more: nobody has to wait for the goodbye.
      if (!isGivenUp) return stopped
      const left = stopped.catch(troubled).finally(() => leaving.delete(left))
      leaving.add(left)
    }

    const reconcile = async (connectionId: string) => {
      const owner = await ownerOfConnection(connectionId)
      if (!owner) return
      const state = await connections.load(connectionId, owner)
      const runner = runners.get(connectionId)
      if (runner && !(isWanted(state) && runner.serves(state))) await stop(connectionId, runner, state)
      if (isWanted(state)) {
        if (!runners.has(connectionId)) await start(connectionId, owner, state)
        return
      }
      if (state.status !== 'replaced') await credentials.forget(connectionId, state.generation)
      await secrets.delete(qrSecret, connectionId)
      if (state.status === 'removed') await failWaiting(connectionId, owner)
    }

    const followConnections = async () => {
      const saved = await loadCheckpoint(pool, name, version)
      let savedAt = Date.now()
      for await (const { events, upTo } of store.subscribe(saved, { categories: ['connection'] }, signal)) {
        await Promise.all([...new Set(events.map(({ stream }) => parseStream(stream).id))].map(reconcile))
        if (events.length === 0 && Date.now() - savedAt < checkpointEveryMilliseconds) continue
        await saveCheckpoint(pool, name, version, upTo)
        savedAt = Date.now()
      }
    }

    const lookAfterOutbox = async () => {
      let forgottenAt = 0
      for await (const _ of setInterval(timings.poll, undefined, { signal })) {
        for (const runner of runners.values()) runner.wake()
        for (const { connectionId, owner } of await outbox.connectionsWithWaiting())
          if (!runners.has(connectionId) && (await connections.load(connectionId, owner)).status === 'removed')
            await failWaiting(connectionId, owner)
        if (Date.now() - forgottenAt < textsEveryMilliseconds) continue
        await outbox.forgetOldTexts()
        forgottenAt = Date.now()
      }
    }

    const wake = (connectionId: string | undefined) => {
      if (connectionId) runners.get(connectionId)?.wake()
      else for (const runner of runners.values()) runner.wake()
    }
    listen(databaseUrl, outboxChannel, wake, signal)
    try {
      await Promise.all((await credentials.connections()).map(reconcile))
      trouble = undefined
      await Promise.all([followConnections(), lookAfterOutbox()])
    } catch (error) {
      if (!outerSignal.aborted) throw error
    } finally {
      ownEnd.abort()
      await Promise.all([...[...runners.values()].map((runner) => runner.stop({ logOut: false })), ...leaving])
      running = new Map()
    }
  }

  return {
    run: (signal) => exclusively(databaseUrl, 'whatsapp lines', signal, supervise, troubled),
    trouble: () => trouble,
    states: () => [...running.values()].map((runner) => runner.state()),
  }
}
