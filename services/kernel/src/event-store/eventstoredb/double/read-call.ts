import { setImmediate } from 'node:timers/promises'
import {
  type Failure,
  handlerException,
  type SubscriptionEnd,
  streamDeleted,
  subscriptionFailures,
  toStatus,
} from './faults.ts'
import type { ReadCall, streams } from './generated.ts'
import { caughtUp, checkpoint, confirmation, eventMessage, streamName, streamNotFound } from './messages.ts'
import type { Stored, StoredLog } from './stored-log.ts'

type Message = InstanceType<typeof streams.ReadResp>

/** Events queued for a slow consumer before the server drops it. */
const maxWaiting = 300
const historyPage = 32

const fail = (call: ReadCall, failure: Failure) => {
  call.emit('error', toStatus(failure))
}

const write = (call: ReadCall, message: Message): Promise<void> | undefined => {
  if (call.cancelled || call.write(message)) return undefined
  return new Promise((resolve) => {
    const done = () => {
      call.off('drain', done)
      call.off('cancelled', done)
      call.off('close', done)
      resolve()
    }
    call.on('drain', done)
    call.on('cancelled', done)
    call.on('close', done)
  })
}

export const readCall = async (call: ReadCall, log: StoredLog, subscriptions: Set<Subscription>): Promise<void> => {
  const options = call.request.getOptions()
  const all = options?.getAll()
  const stream = options?.getStream()
  if (!options) return fail(call, handlerException)
  const isBackwards = options.getReadDirection() === 1
  const limit = Number(options.getCount())

  if (stream) {
    const name = streamName(stream)
    const found = log.stream(name)
    if (found?.state === 'tombstoned') return fail(call, streamDeleted(name))
    if (!found || found.state === 'deleted') await write(call, streamNotFound(name))
    else {
      const first = Number(found.events[0]?.revision ?? 0n)
      const asked = stream.hasRevision() ? Number(stream.getRevision()) - first : undefined
      const events = isBackwards
        ? found.events.slice(0, asked === undefined ? undefined : Math.max(0, asked + 1)).toReversed()
        : found.events.slice(Math.max(0, asked ?? 0))
      for (const event of events.slice(0, limit)) await write(call, eventMessage(event))
    }
    call.end()
    return
  }

  const numericPosition = all?.hasPosition() ? BigInt(all.getPosition()?.getCommitPosition() ?? '') : -1n
  if (numericPosition >= 0n && !log.isReadable(numericPosition)) return fail(call, handlerException)
  if (options.hasSubscription()) return follow(call, log, numericPosition, subscriptions)
  const events = isBackwards ? log.all.slice(-limit).toReversed() : log.all.slice(log.indexAfter(numericPosition - 1n))
  for (const event of events.slice(0, limit)) await write(call, eventMessage(event))
  call.end()
}

export interface Subscription {
  end(how: SubscriptionEnd): void
}

const follow = async (call: ReadCall, log: StoredLog, after: bigint, subscriptions: Set<Subscription>) => {
  const filter = call.request.getOptions()?.getFilter()
  const prefixes = filter?.getStreamIdentifier()?.getPrefixList() ?? []
  const matches = ({ stream }: Stored) => !filter || prefixes.some((prefix) => stream.startsWith(prefix))
  const interval = filter ? (filter.getMax() || 32) * (filter.getCheckpointintervalmultiplier() || 1) : 0
  let considered = 0
  let isOver = false
  let rouse: (() => void) | undefined

  const over = () => {
    isOver = true
    unwatch()
    subscriptions.delete(subscription)
    rouse?.()
  }
  const subscription: Subscription = {
    end: (how) => {
      if (isOver) return
      over()
      const failure = subscriptionFailures[how]
      if (failure) fail(call, failure)
      else call.end()
    },
  }
  const unwatch = log.watch(() => {
    rouse?.()
    if (isLive && log.all.length - next > maxWaiting) subscription.end('consumer too slow')
  })
  subscriptions.add(subscription)
  call.on('cancelled', over)
  call.on('close', over)

  // Beyond the end the server checks nothing.
  let next = log.indexAfter(after)
  let isLive = false
  await write(call, confirmation())
  while (!isOver) {
    const page = log.all.slice(next, next + historyPage)
    for (const event of page) {
      if (isOver) return
      next++
      if (matches(event)) await write(call, eventMessage(event))
      if (interval && ++considered % interval === 0 && !isOver) await write(call, checkpoint(event.numericPosition))
    }
    if (page.length > 0) {
      if (!isLive) await setImmediate()
    } else if (isLive) {
      await new Promise<void>((resolve) => {
        rouse = resolve
      })
    } else {
      isLive = true
      await write(call, caughtUp())
    }
  }
}
