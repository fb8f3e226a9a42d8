import { type EventData, MaxAppendSizeExceededError, WrongExpectedVersionError } from '@eventstore/db-client'
import { keyedQueue } from '../../async/keyed-queue.ts'
import type { Reachability } from '../../async/reachability.ts'
import type { AppendRequest, EventText } from '../append-request.ts'
import { type AppendResult, InvalidAppend } from '../port.ts'
import type { Client } from './client.ts'
import { NoAnswer } from './failures.ts'
import { positionOf } from './position.ts'

/** A deadline counts from the call: queued calls would miss it. */
const maxCalls = 64
/** The classic append sends one message per event: each further 500 extend the time-out. */
const eventsPerAnswer = 500

export interface Appender {
  append(request: AppendRequest): Promise<AppendResult>
  /** Settles once every append has its answer. */
  drained(): Promise<void>
}

export interface AppenderOptions {
  server: Reachability
  /** Time-out of one event; then the outcome is unknown. */
  answerMs: number
  lastSeen: () => bigint
}

/**
 * One append per stream at a time: calls overtake each other on the wire, and the server never answers an append equal to one it is
 * committing. Unknown outcomes are retried with the same ids and revision, which the server recognises.
 */
export const appender = (client: Client, { server, answerMs, lastSeen }: AppenderOptions): Appender => {
  const queue = keyedQueue()
  const waiting: (() => void)[] = []
  let calls = 0

  const call = async (request: AppendRequest, events: EventData[]) => {
    if (calls < maxCalls) calls++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      const deadline = Math.ceil(answerMs * (1 + events.length / eventsPerAnswer))
      const expectedRevision = request.expected < 0n ? 'no_stream' : request.expected
      const { credentials, esdb } = client
      const answer = esdb.appendToStream(request.stream, events, { expectedRevision, credentials, deadline })
      return await inTime(answer, 2 * deadline)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else calls--
    }
  }

  const settle = async (request: AppendRequest): Promise<AppendResult> => {
    const events = request.events.map(eventData)
    const seen = lastSeen()
    try {
      const answer = await server.retryForAWhile(() => call(request, events))
      const { success, nextExpectedRevision: revision, position } = answer
      // With throwOnAppendFailure=false in the URL a conflict is a value.
      if (!success) return conflict(revision)
      if (!position) throw new Error('the server gave no position for an append')
      // The answer does not show repetition, but new writes lie beyond all positions seen before.
      return { ok: true, revision, position: positionOf(position.commit), repeated: position.commit <= seen }
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return conflict(error.actualVersion)
      if (error instanceof MaxAppendSizeExceededError)
        throw new InvalidAppend(`this server takes appends of ${error.maxAppendSize} bytes at most`, { cause: error })
      throw error
    }
  }

  return {
    append: (request) => queue.run(request.stream, () => settle(request)),
    drained: queue.idle,
  }
}

const conflict = (actual: unknown): AppendResult => ({
  ok: false,
  actual: typeof actual === 'bigint' && actual >= 0n ? actual : 'no_stream',
})

const utf8 = new TextEncoder()

const eventData = ({ id, type, data, metadata }: EventText): EventData => ({
  id,
  type,
  contentType: 'application/json',
  data: JSON.parse(data),
  metadata: utf8.encode(metadata),
})

/** The call's deadline does not count during discovery. */
const inTime = async <T>(answer: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('EventStoreDB did not answer in time')), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
