import { AsyncResource } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionState } from '../domain/connection.ts'
import type { KnownNumber } from '../gateway/gateway.ts'
import { type LineDeps, lineExecutor } from './line-executor.ts'
import { type LineInput, type LineState, lineMachine, lineStateOf, lineStep, serves } from './line-machine.ts'

/** Keeps one connection's line up until WhatsApp or the tenant ends it or the lease is lost. */
export interface LineRunner {
  readonly generation: number
  state(): LineState
  serves(state: ConnectionState): boolean
  wake(): void
  /** undefined while the line is not open. */
  findNumber(phone: string): Promise<KnownNumber | undefined> | undefined
  /** `logOut` unlinks the device first. */
  stop(how: { logOut: boolean }): Promise<void>
}

export const startLine = (connectionId: string, wanted: ConnectionState, deps: LineDeps): LineRunner => {
  const { lease, clock, timings } = deps
  const { generation, linkingUntil } = wanted
  let state = lineMachine(wanted)

  // Subsequent effects, also the next socket, must not run in one socket's async context.
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
