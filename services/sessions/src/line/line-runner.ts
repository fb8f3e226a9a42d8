import { AsyncResource } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionState } from '../connection/connection.ts'
import type { KnownNumber } from '../gateway/gateway.ts'
import { type LineDeps, lineExecutor } from './line-executor.ts'
import { type LineInput, type LineState, lineMachine, lineStateOf, lineStep, serves } from './line-machine.ts'

/** Keeps one connection's line to WhatsApp up, from the QR code on, until WhatsApp or the subscriber ends it, or the lease is lost. */
export interface LineRunner {
  readonly generation: number
  state(): LineState
  /** False once the line is over, or the connection wants something else: other credentials, or a new linking attempt. */
  serves(state: ConnectionState): boolean
  /** There may be messages to send, or somebody wants a pairing code. */
  wake(): void
  /** Asks WhatsApp whose number this is, as `LineHandle.findNumber`; undefined while the line is not open. */
  findNumber(phone: string): Promise<KnownNumber | undefined> | undefined
  /** Closes the line; with `logOut` the phone is asked first to forget this device. */
  stop(how: { logOut: boolean }): Promise<void>
}

export const startLine = (connectionId: string, wanted: ConnectionState, deps: LineDeps): LineRunner => {
  const { lease, clock, timings } = deps
  const { generation, linkingUntil } = wanted
  let state = lineMachine(wanted)

  // What happens comes in the asynchronous context of one socket; what follows from it, the next socket too, must not be in that.
  const report = AsyncResource.bind((input: LineInput) => {
    const step = lineStep(state, input, { now: clock.now(), random: Math.random(), timings })
    state = step.state
    for (const effect of step.effects) executor.perform(effect)
  })
  const unlinkedUntil = () => state.unlinkedUntil
  const executor = lineExecutor({ ...deps, connectionId, generation, unlinkedUntil, report })

  const onLeaseLost = () => report({ type: 'leaseLost' })
  lease.signal.addEventListener('abort', onLeaseLost, { once: true })
  report({ type: 'started' })
  if (linkingUntil !== null) executor.limitLinking(Math.max(0, Date.parse(linkingUntil) - Date.parse(clock.now())))

  return {
    generation,
    state: () => lineStateOf(state),
    serves: (connection) => serves(state, connection),
    wake: executor.wake,
    findNumber: (phone) => (state.phase === 'open' ? executor.handle()?.findNumber(phone) : undefined),
    async stop({ logOut }) {
      const loggedOut = logOut && state.phase === 'open' && executor.handle()?.logOut()
      lease.signal.removeEventListener('abort', onLeaseLost)
      report({ type: 'stopRequested' })
      if (loggedOut) await Promise.race([loggedOut, delay(timings.logout)]).catch(() => undefined)
      await executor.handle()?.close()
      await executor.ended
    },
  }
}
