import { beginning, type EventStore, type Position, type RecordedEvent } from '@prosa/kernel/event-store/port'
import type { PositionTokens } from '@prosa/kernel/http/reading/position-tokens'
import type { Ports } from '@prosa/kernel/ports'
import type { deliverTo, Listeners } from './deliver-to.ts'
import type { Pusher } from './pusher.ts'
import { type Push, pushedCategories, pushesFor } from './pushes.ts'
import type { ResumeLimiter } from './resume-limiter.ts'
import type { BrowserSocket } from './socket-server.ts'

/** Events of the whole log beyond which a reload is cheaper. */
const maxEvents = 2000
/** Limits of one resume: a browser waits 3 seconds for it. */
const maxPushes = 100
const maxMs = 2000

/** undefined when too many. Rejects when the log is unreachable. */
const missedPushes = async (store: EventStore, tenant: string, since: Position): Promise<Push[] | undefined> => {
  const missed: RecordedEvent[] = []
  let seen = 0
  const until = performance.now() + maxMs
  for await (const { events } of store.readAll(since, { categories: pushedCategories })) {
    seen += events.length
    if (seen > maxEvents || performance.now() > until) return undefined
    missed.push(...events.filter(({ metadata }) => metadata.tenant === tenant))
  }
  const pushes = pushesFor(missed)
  return pushes.length > maxPushes ? undefined : pushes
}

interface Resumed {
  tenant: string
  position: Position
  complete: boolean
}

/** For browsers that reconnected or must reload. */
export const emitResumed = (
  listeners: Listeners,
  { tokenOf }: Pick<PositionTokens, 'tokenOf'>,
  { tenant, position, complete }: Resumed,
): void => {
  if (position !== beginning) listeners.emit('resumed', { position: tokenOf(tenant, position), complete })
}

export interface ResumeDeps {
  ports: Pick<Ports, 'store' | 'log'>
  tokens: PositionTokens
  pushes: Pusher
  limiter: ResumeLimiter
  delivering: ReturnType<typeof deliverTo>
}

/** Missed pushes go to this browser alone; everything after `position` comes through its room. */
export const resume = async (
  { ports: { store, log }, tokens, pushes, limiter, delivering }: ResumeDeps,
  socket: BrowserSocket,
  position: Position,
): Promise<void> => {
  const { userId } = socket.data
  const since = tokens.latestOf(userId, socket.handshake.auth.position)
  const read = async () => (socket.connected && since ? missedPushes(store, userId, since) : undefined)
  const onFailure = (error: unknown) => {
    log.info({ err: error }, 'missed pushes not read, the browser reloads')
    return undefined
  }
  const missed = since && (await limiter.run(userId, read).catch(onFailure))
  const shown = await Promise.all((missed ?? []).map(async (push) => ({ push, isShown: await pushes.isShown(push) })))
  for (const { push } of shown) await delivering.deliver(socket, push)
  const complete = missed !== undefined && shown.every(({ isShown }) => isShown)
  emitResumed(socket, tokens, { tenant: userId, position, complete })
}
