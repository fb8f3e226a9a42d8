import { createHash } from 'node:crypto'
import { maxAppendBytes } from '../append-request.ts'
import type { EventStore, Position, RecordedEvent } from '../port.ts'
import { CannotMove } from './cannot-move.ts'
import { digestOfStream, eventsOf, logDigest, textOf } from './log-digest.ts'

/** `reached`: of the source. */
export type OnEvent = (reached: Position) => void

const maxRunEvents = 500

const describe = ({ stream, revision }: RecordedEvent) => `${stream}@${revision}`

const requireSame = (event: RecordedEvent, copy: RecordedEvent): void => {
  if (textOf(event) === textOf(copy)) return
  throw new CannotMove(
    `The other log holds ${describe(copy)} where this one holds ${describe(event)}, or another content of it: it is no copy of this ` +
      'log, or was changed since; nothing was changed in the database. Empty it, or name another.',
  )
}

const append = async (target: EventStore, run: readonly RecordedEvent[]): Promise<void> => {
  const [first] = run
  if (!first) return
  const expected = first.revision === 0n ? 'no_stream' : first.revision - 1n
  const result = await target.append(
    first.stream,
    expected,
    run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
  )
  if (!result.ok)
    throw new CannotMove(`Somebody else writes to the other log: its stream ${first.stream} is at ${result.actual}.`)
}

/**
 * Appends to the target what it lacks of the source, one append after the other, as only that keeps the order of the whole log. The target
 * must hold a prefix of the source: a copy that broke off anywhere goes on after its last event. Throws `CannotMove`.
 */
export const copyLog = async (source: EventStore, target: EventStore, onEvent: OnEvent): Promise<void> => {
  const copies = eventsOf(target)
  let isBehind = false
  let run: RecordedEvent[] = []
  let bytes = 0
  const flush = async () => {
    await append(target, run)
    run = []
    bytes = 0
  }
  for await (const event of eventsOf(source)) {
    onEvent(event.position)
    if (!isBehind) {
      const { value: copy } = await copies.next()
      if (copy) {
        requireSame(event, copy)
        continue
      }
      isBehind = true
    }
    const size = Buffer.byteLength(JSON.stringify([event.data, event.metadata]))
    if (run[0]?.stream !== event.stream || run.length === maxRunEvents || bytes + size > maxAppendBytes) await flush()
    run.push(event)
    bytes += size
  }
  await flush()
  if (isBehind) return
  const { value: surplus } = await copies.next()
  if (surplus)
    throw new CannotMove(
      `The other log holds ${describe(surplus)}, which this one does not: it is no copy of this log.`,
    )
}

export interface Verified {
  events: number
  streams: number
  /** SHA-256 over all events in their order, and over the digests of all streams. */
  order: string
  perStream: string
}

/** Old and new position of each event, in the order of the log. */
export type OnPositions = (from: readonly Position[], to: readonly Position[]) => Promise<void>

const positionsAtOnce = 5000
const streamsAtOnce = 16

/**
 * Reads both logs anew: the same events in the same order, then each stream of the target as deciders read it. Throws `CannotMove` with the
 * first difference.
 */
export const verifyCopy = async (
  source: EventStore,
  target: EventStore,
  {
    onEvent,
    onPositions,
    onStream,
  }: { onEvent: OnEvent; onPositions: OnPositions; onStream: (done: number, of: number) => void },
): Promise<Verified> => {
  const digest = logDigest()
  const orderOfCopy = createHash('sha256')
  const copies = eventsOf(target)
  let [from, to]: [Position[], Position[]] = [[], []]
  const takePositions = async () => {
    if (from.length > 0) await onPositions(from, to)
    ;[from, to] = [[], []]
  }
  for await (const event of eventsOf(source)) {
    onEvent(event.position)
    const { value: copy } = await copies.next()
    if (!copy) throw new CannotMove(`The copy ends before ${describe(event)}: start it again.`)
    requireSame(event, copy)
    digest.add(textOf(event), event.stream)
    orderOfCopy.update(textOf(copy)).update('\n')
    from.push(event.position)
    to.push(copy.position)
    if (from.length === positionsAtOnce) await takePositions()
  }
  await takePositions()
  const { value: surplus } = await copies.next()
  if (surplus) throw new CannotMove(`The copy holds ${describe(surplus)}, which its log does not.`)
  const [order, found] = [digest.order(), orderOfCopy.digest('hex')]
  if (order !== found) throw new CannotMove(`The copy has the digest ${found}, its log ${order}.`)

  const perStream = createHash('sha256')
  for (const [stream, { events, hash }] of digest.streams) perStream.update(`${stream} ${events} ${hash}\n`)
  await verifyStreams(target, digest.streams, onStream)
  return { events: digest.events(), streams: digest.streams.size, order, perStream: perStream.digest('hex') }
}

const verifyStreams = async (
  target: EventStore,
  streams: ReturnType<typeof logDigest>['streams'],
  onStream: (done: number, of: number) => void,
): Promise<void> => {
  const waiting = streams.entries()
  let done = 0
  const work = async () => {
    for (const [stream, expected] of waiting) {
      const found = await digestOfStream(target, stream)
      if (found.events !== expected.events || found.hash !== expected.hash)
        throw new CannotMove(
          `The stream ${stream} of the copy has ${found.events} events, or other ones; it must have ${expected.events}.`,
        )
      onStream(++done, streams.size)
    }
  }
  await Promise.all(Array.from({ length: streamsAtOnce }, work))
}
